import type { Writable } from 'node:stream';
import { type Clock, systemClock, within } from '../../util/clock.js';

/** The target of a recording: a file, or anything that accepts text. */
export interface TraceSink {
  /**
   * Receives whole lines of the file. Return `false` if they were not accepted because too much is waiting; the
   * recording then notes a gap. `lasting` marks text that every part of a rotated file begins with.
   */
  write(text: string, lasting?: boolean): unknown;
  /** Resolves when everything is written. */
  flush?(): Promise<void>;
  /** Resolves when everything is written and nothing is held open. */
  close?(): Promise<void>;
}

/** A path, a writable Node stream, or your own sink. */
export type RecordTarget = string | TraceSink | Writable;

/** How long `flush` and `close` wait by default. */
export const CLOSE_WAIT_MS = 2_000;

/** Why a writer was abandoned. */
export function tooLong(waitedMs = CLOSE_WAIT_MS): Error {
  return new Error(`it was not done within ${waitedMs} ms`);
}

interface UserSinkOptions {
  readonly onFailure: (error: unknown) => void;
  readonly clock?: Clock | undefined;
  readonly closeWaitMs?: number | undefined;
}

/** How much may wait before lines are left out. */
export const MAX_WAITING = 32 * 1024 * 1024;

/** Wraps the user's sink. It stays open after the recording, may fail at any time, and is not awaited forever. */
export class UserSink {
  readonly #sink: TraceSink;
  readonly #options: UserSinkOptions;

  constructor(sink: TraceSink, options: UserSinkOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  write(text: string, lasting = false): unknown {
    const taken = this.#sink.write(text, lasting);
    // It may be a promise, of any realm.
    if (typeof taken === 'object') Promise.resolve(taken).catch(this.#options.onFailure);
    return taken;
  }

  /** Only our own files have room for text that must be written. */
  insist(text: string, lasting: boolean): unknown {
    return this.write(text, lasting);
  }

  async flush(): Promise<void> {
    const { closeWaitMs = CLOSE_WAIT_MS, clock = systemClock } = this.#options;
    const flushed = (async () => this.#sink.flush?.())();
    if (await within(flushed, closeWaitMs, clock)) return flushed;
    throw tooLong(closeWaitMs);
  }

  close(): Promise<void> {
    return this.flush();
  }
}
