import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { Command } from 'commander';
import { readTrace } from '../../wire/trace/read/read-trace.js';
import { replayHost } from '../../wire/trace/replay/replay-host.js';
import { toScenario } from '../../wire/trace/scenario/to-scenario.js';
import { spawnLines } from '../../wire/transport/process/spawn-lines.js';
import { counted } from '../../wire/util/numbers.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_CHECK_FAILED, EXIT_OK } from '../exit-codes.js';
import { parseDuration } from '../parse.js';
import { changeText, jsonLine, lookOf } from './trace-print.js';

/** `coxswain trace to-scenario`. */
export function toScenarioSubcommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('to-scenario')
    .description('Turn a recording into a scenario for the emulated CLI.')
    .argument('<file>', 'a recording')
    .option('-o, --output <file>', 'the output file (default: stdout)')
    .option('--json', 'print the scenario, the CLI version and what was left out as one JSON object')
    .action(async (file: string, { output, json }: { readonly output?: string; readonly json?: boolean }) => {
      const { cwd, writeOut, writeErr } = context;
      const draft = await toScenario(resolve(cwd, file));
      const text = json === true ? jsonLine(draft) : `${JSON.stringify(draft.scenario, undefined, 2)}\n`;
      if (output === undefined) writeOut(text);
      else await writeFile(resolve(cwd, output), text);
      for (const note of draft.notes) writeErr(`${note}\n`);
      setExitCode(EXIT_OK);
    });
}

interface ReplayFlags {
  readonly timeout?: number;
  readonly json?: boolean;
}

/** `coxswain trace replay`. */
export function replaySubcommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('replay')
    .description("Replay the host's side of a recording to a CLI, and show what the CLI does differently.")
    .argument('<file>', 'a recording')
    .argument('<command...>', 'the CLI command, after --; without flags, the recorded flags are used')
    .option('--timeout <time>', 'how long the CLI may take for each response: 90, 90s, 5m', parseDuration)
    .option('--json', 'print JSON')
    .action(async (file: string, command: readonly string[], flags: ReplayFlags) => {
      setExitCode(await replay(resolve(context.cwd, file), command, flags, context));
    });
}

async function replay(
  file: string,
  command: readonly string[],
  { timeout, json }: ReplayFlags,
  context: CommandContext,
): Promise<number> {
  const { cwd, writeOut } = context;
  const [program = '', ...args] = await commandFor(file, command);
  const transport = await spawnLines({ file: program, args, cwd });
  const report = await replayHost(file, transport, { cwd, waitMs: timeout });
  const look = lookOf(context);
  if (json === true) writeOut(jsonLine(report));
  else {
    const changes = report.changes.map((change) => changeText(change, look));
    const lines = [
      ...report.missed,
      ...changes,
      `${counted(report.sent, 'line')} sent, ${counted(changes.length, 'difference')}`,
    ];
    writeOut(`${lines.join('\n')}\n`);
  }
  return report.changes.length === 0 && report.missed.length === 0 ? EXIT_OK : EXIT_CHECK_FAILED;
}

/** A Node script runs with this Node; without flags, the CLI gets the recorded ones. */
async function commandFor(
  file: string,
  [program = '', ...args]: readonly string[],
): Promise<readonly string[]> {
  const words = ['.js', '.mjs', '.cjs'].includes(extname(program)) ? [process.execPath, program] : [program];
  return [...words, ...(args.length > 0 ? args : await recordedFlags(file))];
}

async function recordedFlags(file: string): Promise<readonly string[]> {
  for await (const { entry } of readTrace(file)) {
    if (entry.kind !== 'header') break;
    const start = entry.argv.findIndex((word) => word.startsWith('-'));
    return start === -1 ? [] : entry.argv.slice(start);
  }
  return [];
}
