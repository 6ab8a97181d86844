import type { Readable, Writable } from 'node:stream';

/** How a process ended: a code, or the signal that ended it. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What the emulator needs of the process it plays, real or in memory. */
export interface CliPipes {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Ends the process after what was written; called once. */
  exit(status: ExitStatus): void;
  /** Sets the one listener of signals that can be caught. */
  onSignal(listener: (signal: string) => void): void;
}
