import { isObject } from '../../../src/wire/protocol/frames.js';
import { blocksText } from './blocks.js';
import type { ToolItem } from './items.js';

/** The start of a failed command's result. */
const SAID = /^(?:Error: )?Exit code (\d+)\n?/;
/** The text in the output of a background command. */
const TOLD = /<exit_code>(\d+)<\/exit_code>/;

/** The exit code of a tool call's command, as far as the CLI reports it. */
export function exitCode({ result, details, state }: ToolItem): number | undefined {
  if (result.length === 0) return undefined;
  const task = details !== undefined && isObject(details.task) ? details.task : {};
  const told = [details?.exitCode, details?.exit_code, task.exitCode, task.exit_code];
  const code = told.find((value) => typeof value === 'number');
  if (code !== undefined) return Number(code);
  const text = blocksText(result).slice(0, 4_096);
  const found = (state === 'failed' ? SAID.exec(text) : null) ?? TOLD.exec(text);
  return found === null ? undefined : Number(found[1]);
}

/** Whether a call failed, or its command did. */
export function hasFailed(tool: ToolItem): boolean {
  return tool.state === 'failed' || (exitCode(tool) ?? 0) !== 0;
}

/** A command's output, without the CLI's text about its end; undefined for other tools. */
export function commandOutput({ input, details, result }: ToolItem): string | undefined {
  const isCommand = typeof input.command === 'string' || typeof details?.stdout === 'string';
  if (!isCommand || result.length === 0) return undefined;
  return blocksText(result).replace(SAID, '');
}
