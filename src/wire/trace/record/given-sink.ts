import { type Clock, systemClock } from '../../util/clock.js';
import { within } from '../../util/within.js';
import { CLOSE_WAIT_MS, tooLong } from './trace-file.js';
import type { TraceSink } from './trace-sink.js';

interface GivenSinkOptions {
  readonly clock?: Clock | undefined;
  readonly closeWaitMs?: number | undefined;
}

/** A writer of the user's own, as a scribe uses it. It stays open, and may never be done: it is not waited for long. */
export class GivenSink {
  readonly #sink: TraceSink;
  readonly #onFailure: (error: unknown) => void;
  readonly #clock: Clock;
  readonly #closeWaitMs: number;

  constructor(
    sink: TraceSink,
    onFailure: (error: unknown) => void,
    { clock = systemClock, closeWaitMs = CLOSE_WAIT_MS }: GivenSinkOptions,
  ) {
    this.#sink = sink;
    this.#onFailure = onFailure;
    this.#clock = clock;
    this.#closeWaitMs = closeWaitMs;
  }

  write(text: string, lasting: boolean): unknown {
    const taken = this.#sink.write(text, lasting);
    // It may be a promise, of whatever making.
    if (typeof taken === 'object') Promise.resolve(taken).catch(this.#onFailure);
    return taken;
  }

  writePieces(...pieces: readonly string[]): unknown {
    return this.write(pieces.join(''), false);
  }

  /** Only files of ours know what has to be written. */
  insist(text: string, lasting: boolean): unknown {
    return this.write(text, lasting);
  }

  async flush(): Promise<void> {
    const flushed = (async () => this.#sink.flush?.())();
    if (await within(flushed, this.#closeWaitMs, this.#clock)) return flushed;
    throw tooLong(this.#closeWaitMs);
  }

  close(): Promise<void> {
    return this.flush();
  }
}
