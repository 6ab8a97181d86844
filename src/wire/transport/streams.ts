import type { Readable, Writable } from 'node:stream';
import { deferred } from '../util/deferred.js';
import { LineReader, type LineReaderOptions } from './line-reader.js';
import { LineWriter } from './line-writer.js';
import type { OnLines, Transport, TransportEnd } from './transport.js';

/** The options of {@link streamTransport}. */
export interface StreamTransportOptions extends LineReaderOptions {
  /** How many bytes may wait for the other side before `send` refuses more. */
  readonly maxUnsentBytes?: number;
  /** How long `close()` waits until unsent lines are written, in milliseconds. */
  readonly closeWaitMs?: number;
  /** The version of the CLI at the other end, if you know it. */
  readonly version?: string | undefined;
}

/** Creates a transport from a readable and a writable stream: a socket, a pipe, a test's PassThrough. */
export function streamTransport(
  readable: Readable,
  writable: Writable,
  options: StreamTransportOptions = {},
): Transport {
  return new StreamTransport(readable, writable, options);
}

class StreamTransport implements Transport {
  readonly ended: Promise<TransportEnd>;
  readonly version: string | undefined;
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #reader: LineReader;
  readonly #writer: LineWriter;
  readonly #closeWaitMs: number;
  readonly #end = deferred<TransportEnd>();
  #closing: Promise<TransportEnd> | undefined;

  constructor(readable: Readable, writable: Writable, options: StreamTransportOptions) {
    this.#readable = readable;
    this.#writable = writable;
    this.#reader = new LineReader(readable, options);
    this.#writer = new LineWriter(writable, options.maxUnsentBytes);
    this.#closeWaitMs = options.closeWaitMs ?? 1_000;
    this.version = options.version;
    this.ended = this.#end.promise;
    void this.#reader.done.then((error) => this.#settle(error));
  }

  start(onLines: OnLines): void {
    this.#reader.start(onLines);
  }

  pause(): void {
    this.#reader.pause();
  }

  resume(): void {
    this.#reader.resume();
  }

  send(line: string): Promise<void> {
    return this.#writer.send(line);
  }

  close(): Promise<TransportEnd> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<TransportEnd> {
    this.#writer.end();
    await flushed(this.#writable, this.#closeWaitMs);
    this.#reader.destroy();
    return this.ended;
  }

  #settle(error: Error | undefined): void {
    this.#writer.abandon();
    this.#writable.destroy();
    this.#readable.destroy();
    this.#end.resolve(error === undefined ? { reason: 'closed' } : { reason: 'failed', error });
  }
}

/** Waits until everything was written, the stream is gone, or the time is up. */
function flushed(writable: Writable, waitMs: number): Promise<void> {
  if (writable.writableFinished || writable.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(done, waitMs);
    function done(): void {
      clearTimeout(timer);
      writable.off('finish', done).off('close', done);
      resolve();
    }
    writable.once('finish', done).once('close', done);
  });
}
