import type { Writable } from 'node:stream';
import { type Clock, systemClock, within } from '../../util/clock.js';
import { CLOSE_WAIT_MS, MAX_WAITING, type TraceSink, tooLong } from './trace-sink.js';

/** The options of a {@link StreamSink}. */
export interface StreamSinkOptions {
  readonly onFailure: (error: unknown) => void;
  readonly maxWaiting?: number | undefined;
  readonly closeWaitMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** Whether it is a Node stream: its `write` returns whether to continue, not whether the text was accepted. */
export function isStream(target: TraceSink | Writable): target is Writable {
  return 'writableLength' in target && 'on' in target;
}

/** Wraps the user's stream. Keeps what cannot be written yet, up to a limit, and leaves the stream open afterwards. */
export class StreamSink {
  readonly #stream: Writable;
  readonly #options: StreamSinkOptions;

  constructor(stream: Writable, options: StreamSinkOptions) {
    this.#stream = stream;
    this.#options = options;
    stream.on('error', options.onFailure);
  }

  write(text: string): boolean {
    if (this.#stream.writableLength > (this.#options.maxWaiting ?? MAX_WAITING)) return false;
    return this.insist(text);
  }

  insist(text: string): boolean {
    if (!this.#stream.writable) throw new Error('the stream has ended');
    this.#stream.write(text);
    return true;
  }

  async flush(): Promise<void> {
    const { closeWaitMs = CLOSE_WAIT_MS, clock = systemClock } = this.#options;
    const written = new Promise<void>((resolve, reject) => {
      this.#stream.write('', (error) => (error ? reject(error) : resolve()));
    });
    if (await within(written, closeWaitMs, clock)) return written;
    throw tooLong(closeWaitMs);
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      this.#stream.off('error', this.#options.onFailure);
    }
  }
}
