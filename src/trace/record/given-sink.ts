import { type Clock, systemClock } from '../../util/clock.js';
import { within } from '../../util/within.js';
import { CLOSE_WAIT_MS } from './trace-file.js';
import type { TraceSink } from './trace-sink.js';

/** A writer of the user's own, as a scribe uses it. It stays open, and may never be done: it is not waited for long. */
export class GivenSink {
  readonly #sink: TraceSink;
  readonly #clock: Clock;
  readonly #closeWaitMs: number;

  constructor(sink: TraceSink, clock: Clock = systemClock, closeWaitMs: number = CLOSE_WAIT_MS) {
    this.#sink = sink;
    this.#clock = clock;
    this.#closeWaitMs = closeWaitMs;
  }

  write(text: string, lasting: boolean): unknown {
    return this.#sink.write(text, lasting);
  }

  writePieces(...pieces: readonly string[]): unknown {
    return this.#sink.write(pieces.join(''), false);
  }

  async flush(): Promise<void> {
    const flushed = (async () => this.#sink.flush?.())();
    if (await within(flushed, this.#closeWaitMs, this.#clock)) return flushed;
    throw new Error(`it was not done within ${this.#closeWaitMs} ms`);
  }

  close(): Promise<void> {
    return this.flush();
  }
}
