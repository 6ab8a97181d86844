import { Command, CommanderError } from 'commander';
import { packageVersion } from '../wire/package/built-file.js';
import { consoleCommand } from './commands/console.js';
import { demoCommand } from './commands/demo.js';
import { doctorCommand } from './commands/doctor.js';
import { emulateCommand } from './commands/emulate.js';
import { inspectCommand } from './commands/inspect.js';
import { modelCommand } from './commands/model.js';
import { patchCommand } from './commands/patch.js';
import { probeCommand } from './commands/probe.js';
import { runCommand } from './commands/run.js';
import { sessionsCommand } from './commands/sessions.js';
import { tapCommand } from './commands/tap.js';
import { traceCommand } from './commands/trace.js';
import { versionsCommand } from './commands/versions.js';
import { EXIT_OK, EXIT_USAGE } from './exit-codes.js';
import { explainError } from './explain-error.js';
import type { Surroundings } from './surroundings.js';

/** Runs one command line and resolves with its exit code. Never rejects and never ends the process. */
export async function runCox(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const outcome = { exitCode: EXIT_OK };
  const program = buildProgram(surroundings, (exitCode) => {
    outcome.exitCode = exitCode;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return outcome.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
    const { text, exitCode } = explainError(error, { debug: args.includes('--debug') });
    surroundings.writeErr(text);
    return exitCode;
  }
}

function buildProgram(surroundings: Surroundings, setExitCode: (code: number) => void): Command {
  const program = new Command('coxswain')
    .description('Drive the Claude CLI over its control protocol, and test what you build on it.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .option('--debug', 'print the stack of an error')
    .showHelpAfterError('(run it with --help to see what it takes)')
    .exitOverride()
    .configureOutput({ writeOut: surroundings.writeOut, writeErr: surroundings.writeErr });
  for (const makeCommand of [
    demoCommand,
    consoleCommand,
    runCommand,
    doctorCommand,
    modelCommand,
    emulateCommand,
    probeCommand,
    versionsCommand,
    patchCommand,
    tapCommand,
    traceCommand,
    sessionsCommand,
    inspectCommand,
  ]) {
    program.addCommand(makeCommand(surroundings, setExitCode).copyInheritedSettings(program));
  }
  return program;
}
