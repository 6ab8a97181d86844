import { errorText } from '../../../../wire/util/error-text.js';
import type { CliPipes, ExitStatus } from '../pipes/pipes.js';
import { runProgram } from './run-program.js';

/** Plays a CLI in this process, and exits as that CLI would. */
export async function startProgram(version?: string): Promise<void> {
  try {
    const status = await runProgram({
      args: process.argv.slice(2),
      env: process.env,
      cwd: process.cwd(),
      pid: process.pid,
      isRoot: process.getuid?.() === 0,
      ...(version === undefined ? {} : { version }),
      makePipes: processPipes,
    });
    endProcess(status);
  } catch (error) {
    process.stderr.write(`coxswain emulate: ${errorText(error)}\n`);
    process.exit(2);
  }
}

/** The signals that CLIs catch. */
const CAUGHT = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The pipes of this process; `onExit` is called once with the exit status, when everything was written. */
export function processPipes(onExit: (status: ExitStatus) => void): CliPipes {
  const { stdin, stdout, stderr } = process;
  return {
    stdin,
    stdout,
    stderr,
    exit: (status) => {
      stdin.destroy();
      stdout.write('', () => onExit(status));
    },
    onSignal: (listener) => {
      for (const signal of CAUGHT) process.on(signal, listener);
    },
  };
}

/** Ends this process as requested: with a code, or by sending itself the signal. */
function endProcess({ code, signal }: ExitStatus): void {
  if (signal === null) process.exit(code ?? 0);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // A signal that does not end the process must not leave it running.
  setTimeout(() => process.exit(1), 1_000);
}
