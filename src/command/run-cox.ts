import { Command, CommanderError } from 'commander';
import { packageVersion } from '../wire/package/built-file.js';
import type { CommandContext } from './command-context.js';
import { allCommands, OTHER } from './command-list.js';
import { EXIT_OK, EXIT_USAGE } from './exit-codes.js';

/** Runs one command line and resolves with its exit code. Never rejects and never ends the process. */
export async function runCox(args: readonly string[], context: CommandContext): Promise<number> {
  const outcome = { exitCode: EXIT_OK };
  try {
    const program = await buildProgram(args, context, (exitCode) => {
      outcome.exitCode = exitCode;
    });
    await program.parseAsync(forEmulator(forUnknown(args)), { from: 'user' });
    return outcome.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return usageCode(error, args, context);
    const { explainError } = await import('./explain-error.js');
    const { text, exitCode } = explainError(error, { debug: args.includes('--debug') });
    context.writeErr(text);
    return exitCode;
  }
}

/** With `run --json`, stdout always gets a last line, even for a usage error. */
async function usageCode(
  { exitCode, message }: CommanderError,
  args: readonly string[],
  { writeOut }: CommandContext,
): Promise<number> {
  if (exitCode === 0) return EXIT_OK;
  if (askedCommand(args) === 'run' && args.includes('--json')) {
    const { wrongUseLine } = await import('./run/output.js');
    writeOut(wrongUseLine(message));
  }
  return EXIT_USAGE;
}

/** Asked for the help of a command that does not exist, commander prints the general help; an error is clearer. */
function forUnknown(args: readonly string[]): readonly string[] {
  const asked = askedCommand(args);
  if (asked === undefined || asked === 'help' || Object.hasOwn(allCommands, asked)) return args;
  return args[0]?.startsWith('-') ? args : [asked];
}

/** For the emulator, `--version` is the version it plays; elsewhere it prints our own. */
function forEmulator(args: readonly string[]): readonly string[] {
  const own = args.indexOf('--') === -1 ? args.length : args.indexOf('--');
  if (args[0] !== 'emulate') return args;
  return args.map((word, at) => (at < own ? word.replace(/^--version(?==|$)/, '--cli-version') : word));
}

async function buildProgram(
  args: readonly string[],
  context: CommandContext,
  setExitCode: (code: number) => void,
): Promise<Command> {
  const program = new Command('coxswain')
    .description('Drive the Claude CLI over its control protocol, and test what you build on it.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .commandsGroup(OTHER)
    .helpCommand(...HELP_COMMAND)
    .option('--debug', 'print the stack trace of an error')
    .showHelpAfterError('(run with --help for usage)')
    .exitOverride()
    .configureOutput({ writeOut: context.writeOut, writeErr: context.writeErr });
  const asked = askedCommand(args);
  for (const [name, { about, group, load }] of Object.entries(allCommands)) {
    const command = name === asked ? (await load())(context, setExitCode) : new Command(name);
    program.addCommand(command.description(about).helpGroup(group));
    inherit(command, program);
  }
  return program;
}

/** Gives a command and those below it the settings of the program; commander itself does that only for commands it makes. */
function inherit(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent);
  // One of its own, or it would be listed under the heading that it has in the program.
  if (command.commands.length > 0) command.helpCommand(...HELP_COMMAND);
  for (const inner of command.commands) inherit(inner, command);
}

const HELP_COMMAND = ['help [command]', 'print the help of a command'] as const;

/** The command that the arguments name; after `help`, the one to describe. */
function askedCommand(args: readonly string[]): string | undefined {
  const [first, second] = args.filter((word) => !word.startsWith('-'));
  return first === 'help' ? second : first;
}
