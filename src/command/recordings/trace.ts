import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { diffSubcommand, validateSubcommand } from './trace-check.js';
import { exportSubcommand } from './trace-export.js';
import { grepSubcommand, infoSubcommand, listSubcommand, showSubcommand } from './trace-look.js';
import { replaySubcommand, toScenarioSubcommand } from './trace-use.js';

/** Creates one subcommand of `coxswain trace`. */
export type MakeSubcommand = (context: CommandContext, setExitCode: (code: number) => void) => Command;

const SUBCOMMANDS: readonly MakeSubcommand[] = [
  infoSubcommand,
  listSubcommand,
  showSubcommand,
  grepSubcommand,
  diffSubcommand,
  validateSubcommand,
  exportSubcommand,
  toScenarioSubcommand,
  replaySubcommand,
];

/** `coxswain trace`: inspects, compares and checks recordings, and turns them into tests. */
export function traceCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  const trace = new Command('trace');
  for (const make of SUBCOMMANDS) {
    trace.addCommand(make(context, setExitCode));
  }
  return trace.addHelpText('after', HELP);
}

const HELP = `
Create recordings with \`coxswain tap\` or \`openSession({ record: 'session.trace' })\`.
Exit codes: 0 no findings, 10 a check found something, 1 the file is not a recording.`;
