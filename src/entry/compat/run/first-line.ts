import type { End, OnLines, Transport } from '../../../wire/transport/transport.js';

/** Passes everything on, and tells once that the first line was handed over. */
export class FirstLine implements Transport {
  readonly ended: Promise<End>;
  readonly #inner: Transport;
  #onFirst: (() => void) | undefined;

  constructor(inner: Transport, onFirst: () => void) {
    this.#inner = inner;
    this.#onFirst = onFirst;
    this.ended = inner.ended;
  }

  start(onLines: OnLines): void {
    this.#inner.start(onLines);
  }

  pause(): void {
    this.#inner.pause();
  }

  resume(): void {
    this.#inner.resume();
  }

  send(line: string): Promise<void> {
    const sent = this.#inner.send(line);
    this.#onFirst?.();
    this.#onFirst = undefined;
    return sent;
  }

  close(): Promise<End> {
    return this.#inner.close();
  }
}
