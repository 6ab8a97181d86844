import type { Readable, Writable } from 'node:stream';
import type { OnLines, Transport, TransportEnd } from '../../../../wire/transport/transport.js';
import { deferred } from '../../../../wire/util/deferred.js';

/** How a process ended: a code, or the signal that ended it. */
export interface ExitStatus {
  /** The exit code; null if a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it. */
  readonly signal: string | null;
}

/** What the emulator needs from its process, real or in memory. */
export interface CliPipes {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Ends the process after pending output; called once. */
  exit(status: ExitStatus): void;
  /** Sets the only listener for catchable signals. */
  onSignal(listener: (signal: string) => void): void;
}

/** The part of the wire that the emulator's peer sees: answers come in, its requests go out. */
export class PeerLine implements Transport {
  readonly ended: Promise<TransportEnd>;
  readonly #end = deferred<TransportEnd>();
  readonly #write: (line: string) => Promise<void>;
  #onLines: OnLines = () => {};

  constructor(write: (line: string) => Promise<void>) {
    this.#write = write;
    this.ended = this.#end.promise;
  }

  start(onLines: OnLines): void {
    this.#onLines = onLines;
  }

  pause(): void {}

  resume(): void {}

  send(line: string): Promise<void> {
    return this.#write(line);
  }

  close(): Promise<TransportEnd> {
    this.shut();
    return this.ended;
  }

  /** Passes a host's answer to the peer. */
  deliver(line: string): void {
    this.#onLines([line]);
  }

  /** The process has ended: pending answers will not come. */
  shut(): void {
    this.#end.resolve({ reason: 'closed' });
  }
}
