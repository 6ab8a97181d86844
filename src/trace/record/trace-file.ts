import { writeSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, systemClock } from '../../util/clock.js';
import { type Deferred, deferred } from '../../util/deferred.js';
import type { OnDiagnostic } from '../../util/diagnostics.js';
import { quiet } from '../../util/quiet.js';
import { encodeEntry } from './encode-entry.js';
import { onProcessExit } from './exit-flush.js';
import type { TraceSink } from './trace-sink.js';

/** What {@link traceFile} can be told. */
export interface TraceFileOptions {
  /** The file's limit; none unless given. */
  readonly maxBytes?: number | undefined;
  /** At the limit: `stop` ends the recording, `rotate` puts the file aside as `<path>.1` and goes on. */
  readonly whenFull?: 'stop' | 'rotate' | undefined;
  /** How many files are kept aside when rotating; 1 unless given. */
  readonly keep?: number | undefined;
  /** Characters that may wait for a slow disk before lines are left out, with a gap in their place. */
  readonly maxWaiting?: number | undefined;
  /** Fails where the file exists, instead of writing over it. */
  readonly exclusive?: boolean | undefined;
  /** How long `flush` and `close` wait for the disk, in milliseconds. */
  readonly closeWaitMs?: number | undefined;
  readonly onDiagnostic?: OnDiagnostic | undefined;
  readonly clock?: Clock | undefined;
}

/** Writes a recording to a file. What goes wrong is reported once and ends the recording, never the session. */
export function traceFile(
  path: string,
  options: TraceFileOptions = {},
): TraceSink & { readonly path: string } {
  return new TraceFile(path, options);
}

/** How long a flush is waited for unless told otherwise. */
export const CLOSE_WAIT_MS = 2_000;
/** How much is given to the disk at once. */
const CHUNK = 256 * 1024;
const POOL = CHUNK * 4;

class TraceFile implements TraceSink {
  readonly path: string;
  readonly #options: TraceFileOptions;
  readonly #onDiagnostic: OnDiagnostic;
  readonly #maxWaiting: number;
  readonly #forget: () => void;
  #waiting: string[] = [];
  #waitingLength = 0;
  #lasting = '';
  #handle: FileHandle | undefined;
  #inFlight: Buffer | undefined;
  #pool: Buffer | undefined;
  #position = 0;
  #over = false;
  #busy: Deferred<void> | undefined;

  constructor(path: string, options: TraceFileOptions) {
    this.path = path;
    this.#options = options;
    this.#onDiagnostic = quiet(options.onDiagnostic);
    this.#maxWaiting = options.maxWaiting ?? 32 * 1024 * 1024;
    this.#forget = onProcessExit(() => this.#writeRest());
  }

  write(text: string, lasting = false): boolean {
    if (this.#over) return true;
    if (this.#waitingLength + text.length > this.#maxWaiting && this.#waitingLength > 0) return false;
    if (lasting) this.#lasting += text;
    this.#waiting.push(text);
    this.#waitingLength += text.length;
    if (this.#busy === undefined) {
      this.#busy = deferred();
      // Not at once: what comes in the same moment goes out in one write.
      setImmediate(() => void this.#drain());
    }
    return true;
  }

  async flush(): Promise<void> {
    if (this.#busy === undefined) return;
    const { clock = systemClock, closeWaitMs = CLOSE_WAIT_MS } = this.#options;
    const timeUp = deferred<void>();
    const cancel = clock.after(closeWaitMs, () => timeUp.resolve());
    await Promise.race([this.#busy.promise, timeUp.promise]);
    cancel();
  }

  async close(): Promise<void> {
    await this.flush();
    this.#over = true;
    this.#forget();
    const handle = this.#handle;
    this.#handle = undefined;
    // A disk that hangs is not waited for.
    if (this.#busy === undefined) await handle?.close().catch(() => {});
    else void this.#busy.promise.then(() => handle?.close()).catch(() => {});
  }

  async #drain(): Promise<void> {
    try {
      this.#handle ??= await this.#open();
      while (this.#waiting.length > 0) await this.#writeChunk(this.#takeChunk());
    } catch (error) {
      this.#fail(error);
    }
    const busy = this.#busy;
    this.#busy = undefined;
    busy?.resolve();
  }

  async #open(): Promise<FileHandle> {
    await mkdir(dirname(this.path), { recursive: true });
    return open(this.path, this.#options.exclusive === true ? 'wx' : 'w', 0o600);
  }

  #takeChunk(): Buffer {
    const limit = Math.min(CHUNK, this.#options.maxBytes ?? CHUNK);
    let length = 0;
    let count = 0;
    for (const text of this.#waiting) {
      if (count > 0 && length + text.length > limit) break;
      length += text.length;
      count += 1;
    }
    const taken = this.#waiting.splice(0, count);
    this.#waitingLength -= length;
    return this.#encode(taken, length);
  }

  /** Into the same memory again and again: fresh pages cost more than the encoding. */
  #encode(texts: readonly string[], length: number): Buffer {
    // A UTF-16 code unit takes at most three bytes.
    if (length * 3 > POOL) return Buffer.from(texts.join(''));
    this.#pool ??= Buffer.allocUnsafeSlow(POOL);
    let end = 0;
    for (const text of texts) end += this.#pool.write(text, end);
    return this.#pool.subarray(0, end);
  }

  async #writeChunk(chunk: Buffer): Promise<void> {
    if (this.#over) return;
    const { maxBytes = Number.POSITIVE_INFINITY, whenFull = 'stop' } = this.#options;
    if (this.#position > 0 && this.#position + chunk.length > maxBytes) {
      if (whenFull === 'stop') return this.#stopFull(maxBytes);
      await this.#rotate();
    }
    await this.#writeAt(chunk);
  }

  /** At an explicit place, so that an exit in the middle can write the same bytes again. */
  async #writeAt(chunk: Buffer): Promise<void> {
    this.#inFlight = chunk;
    let written = 0;
    while (written < chunk.length) {
      const rest = chunk.length - written;
      const part = await this.#handle?.write(chunk, written, rest, this.#position + written);
      written += part?.bytesWritten ?? rest;
    }
    this.#position += chunk.length;
    this.#inFlight = undefined;
  }

  async #rotate(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
    const keep = Math.max(1, this.#options.keep ?? 1);
    for (let number = keep - 1; number >= 1; number -= 1) {
      await rename(`${this.path}.${number}`, `${this.path}.${number + 1}`).catch(() => {});
    }
    await rename(this.path, `${this.path}.1`);
    this.#handle = await open(this.path, 'w', 0o600);
    this.#position = 0;
    await this.#writeAt(Buffer.from(this.#lasting));
  }

  async #stopFull(limit: number): Promise<void> {
    await this.#writeAt(Buffer.from(encodeEntry({ kind: 'full', limit })));
    this.#stop(
      'RECORDING_FULL',
      `The recording ${this.path} reached its limit of ${limit} bytes and was ended.`,
    );
  }

  #fail(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    this.#stop('RECORDING_FAILED', `The recording ${this.path} was given up: ${why}.`);
  }

  #stop(code: 'RECORDING_FULL' | 'RECORDING_FAILED', message: string): void {
    const handle = this.#handle;
    this.#over = true;
    this.#handle = undefined;
    this.#waiting = [];
    this.#waitingLength = 0;
    this.#inFlight = undefined;
    this.#forget();
    void handle?.close().catch(() => {});
    this.#onDiagnostic({ code, message, path: this.path });
  }

  #writeRest(): void {
    const { fd } = this.#handle ?? {};
    if (fd === undefined || this.#over) return;
    const rest = Buffer.concat([this.#inFlight ?? Buffer.alloc(0), Buffer.from(this.#waiting.join(''))]);
    try {
      if (rest.length > 0) writeSync(fd, rest, 0, rest.length, this.#position);
    } catch {
      // The process is ending: there is nobody left to tell.
    }
  }
}
