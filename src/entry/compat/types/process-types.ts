import type { Readable, Writable } from 'node:stream';

/** What your own spawner is asked to start. */
export interface SpawnOptions {
  command: string;
  args: string[];
  cwd?: string;
  env: { [variable: string]: string | undefined };
  /** Aborted when the process had its time to leave by itself. */
  signal: AbortSignal;
}

/** A process that your own spawner has started; a ChildProcess is one. */
export interface SpawnedProcess {
  stdin: Writable;
  stdout: Readable;
  readonly killed: boolean;
  readonly exitCode: number | null;
  readonly signalCode?: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
  on(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
  once(event: 'error', listener: (error: Error) => void): void;
  off(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
  off(event: 'error', listener: (error: Error) => void): void;
}
