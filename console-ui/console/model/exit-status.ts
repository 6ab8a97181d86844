import { isObject } from '../../../src/wire/protocol/frames.js';
import { blocksText } from './blocks.js';
import type { ToolItem } from './items.js';

/** What the result of a command that failed begins with. */
const SAID = /^(?:Error: )?Exit code (\d+)\n?/;
/** What the output of a command in the background says. */
const TOLD = /<exit_code>(\d+)<\/exit_code>/;

/** The exit code of the command behind a tool call, as far as the CLI tells it. */
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

/** Whether a call did not do what it was to do: it failed, or its command did. */
export function hasFailed(tool: ToolItem): boolean {
  return tool.state === 'failed' || (exitCode(tool) ?? 0) !== 0;
}

/** What a command printed, without what the CLI says of its end; undefined for other tools. */
export function commandOutput({ input, details, result }: ToolItem): string | undefined {
  const isCommand = typeof input.command === 'string' || typeof details?.stdout === 'string';
  if (!isCommand || result.length === 0) return undefined;
  return blocksText(result).replace(SAID, '');
}
