import type { CliPipes, ExitStatus } from '../pipes/pipes.js';

/** The signals that CLIs catch. */
const CAUGHT = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The pipes of this process; `onExit` is told once how it should end, when all was written. */
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

/** Ends this process as it was told: with a code, or by sending itself the signal. */
export function endProcess({ code, signal }: ExitStatus): void {
  if (signal === null) process.exit(code ?? 0);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // A signal that does not end a process must not leave it behind.
  setTimeout(() => process.exit(1), 1_000);
}
