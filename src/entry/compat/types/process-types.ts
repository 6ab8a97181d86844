import type { Readable, Writable } from 'node:stream';

/** The process to start, for your own spawner. */
export interface SpawnOptions {
  /** The program. */
  command: string;
  /** Its arguments. */
  args: string[];
  /** Its working folder. */
  cwd?: string;
  /** Its environment. */
  env: { [variable: string]: string | undefined };
  /** Aborted when the process has run out of time to exit on its own. */
  signal: AbortSignal;
}

/** A process started by your own spawner, such as a ChildProcess. */
export interface SpawnedProcess {
  /** Its input. */
  stdin: Writable;
  /** Its output. */
  stdout: Readable;
  /** Whether a signal was sent. */
  readonly killed: boolean;
  /** The exit code, once it has ended. */
  readonly exitCode: number | null;
  /** The signal that ended it. */
  readonly signalCode?: NodeJS.Signals | null;
  /** Sends it a signal. */
  kill(signal: NodeJS.Signals): boolean;
  /** Listens. */
  on(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
  /** Listens. */
  on(event: 'error', listener: (error: Error) => void): void;
  /** Listens once. */
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
  /** Listens once. */
  once(event: 'error', listener: (error: Error) => void): void;
  /** Stops listening. */
  off(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
  /** Stops listening. */
  off(event: 'error', listener: (error: Error) => void): void;
}
