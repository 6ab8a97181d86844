import { writeSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, systemClock } from '../../util/clock.js';
import { type Deferred, deferred } from '../../util/deferred.js';
import type { OnDiagnostic } from '../../util/diagnostics.js';
import { errorText } from '../../util/error-text.js';
import { quiet } from '../../util/quiet.js';
import { within } from '../../util/within.js';
import { ByteQueue } from './byte-queue.js';
import { asPart, encodeEntry } from './encode-entry.js';
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
  /** Bytes that may wait for a slow disk before lines are left out, with a gap in their place. */
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
/** Why a writer was given up that was waited for. */
export function tooLong(waitedMs: number): Error {
  return new Error(`it was not done within ${waitedMs} ms`);
}

/** Bytes that may wait for the disk unless told otherwise. */
export const MAX_WAITING = 32 * 1024 * 1024;
/** This much is written at once; less waits a moment for company, as every write has its price. */
const ENOUGH = 768 * 1024;
const MOMENT_MS = 2;
const NEWLINE = 10;

/** A file of ours, see {@link traceFile}. */
export class TraceFile implements TraceSink {
  readonly path: string;
  readonly #options: TraceFileOptions;
  readonly #onDiagnostic: OnDiagnostic;
  readonly #maxWaiting: number;
  readonly #forget: () => void;
  readonly #queue = new ByteQueue();
  #lasting = '';
  #part = 1;
  #handle: FileHandle | undefined;
  #inFlight: Buffer | undefined;
  #position = 0;
  /** A pipe has none: it takes what comes. */
  #hasPlaces = true;
  /** Where the lines of this file begin, behind what every part begins with. */
  #start = 0;
  #timer: NodeJS.Timeout | undefined;
  #over = false;
  #busy: Deferred<void> | undefined;

  constructor(path: string, options: TraceFileOptions) {
    this.path = path;
    this.#options = options;
    this.#onDiagnostic = quiet(options.onDiagnostic);
    this.#maxWaiting = options.maxWaiting ?? MAX_WAITING;
    this.#forget = onProcessExit(() => this.#writeRest());
  }

  write(text: string, lasting = false): boolean {
    if (lasting && this.#hasRoom()) this.#lasting += text;
    return this.writePieces(text);
  }

  /** The same for a text in pieces: to put them together would cost as much as to write them. */
  writePieces(...pieces: readonly string[]): boolean {
    if (!this.#hasRoom()) return this.#over;
    this.#take(...pieces);
    return true;
  }

  #take(...pieces: readonly string[]): void {
    this.#queue.push(...pieces);
    if (this.#busy === undefined) {
      this.#busy = deferred();
      this.#drainSoon();
    }
    if (this.#queue.length >= ENOUGH) this.#drainNow();
  }

  /** Takes a text whatever waits: one that is short and must not be missing. */
  insist(text: string, lasting: boolean): void {
    if (this.#over) return;
    if (lasting) this.#lasting += text;
    this.#take(text);
  }

  /** One text alone is never too much, however long: only what comes behind it has to wait for room. */
  #hasRoom(): boolean {
    return !this.#over && this.#queue.length <= this.#maxWaiting;
  }

  async flush(): Promise<void> {
    if (this.#busy === undefined) return;
    this.#drainNow();
    const { clock = systemClock } = this.#options;
    await within(this.#busy.promise, this.#closeWaitMs, clock);
  }

  async close(): Promise<void> {
    await this.flush();
    // A disk that hangs is not waited for.
    if (this.#busy !== undefined && !this.#over) {
      const message = this.#givenUp(tooLong(this.#closeWaitMs));
      this.#onDiagnostic({ code: 'RECORDING_FAILED', message, path: this.path });
    }
    this.#over = true;
    this.#forget();
    if (this.#busy === undefined) await this.#release();
    else void this.#busy.promise.then(() => this.#release());
  }

  async #release(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => {});
  }

  #drainSoon(): void {
    this.#timer = setTimeout(() => this.#drainNow(), MOMENT_MS);
  }

  /** Begins to write, unless that is under way. */
  #drainNow(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#drain();
  }

  async #drain(): Promise<void> {
    try {
      if (!this.#over && this.#handle === undefined) {
        this.#handle = await this.#open();
        this.#hasPlaces = (await this.#handle.stat()).isFile();
      }
      do await this.#writeNext();
      while (!this.#over && this.#queue.length >= ENOUGH);
    } catch (error) {
      this.#stop('RECORDING_FAILED', this.#givenUp(error));
    }
    if (!this.#over && this.#queue.length > 0) {
      this.#drainSoon();
      return;
    }
    this.#queue.rest();
    const busy = this.#busy;
    this.#busy = undefined;
    busy?.resolve();
  }

  async #writeNext(): Promise<void> {
    const bytes = this.#queue.take();
    if (bytes === undefined) return;
    this.#inFlight = bytes;
    while (this.#inFlight !== undefined && !this.#over) await this.#writeSome(this.#inFlight);
    this.#queue.giveBack(bytes);
  }

  async #open(): Promise<FileHandle> {
    const openFile = () => open(this.path, this.#options.exclusive === true ? 'wx' : 'w', 0o600);
    try {
      return await openFile();
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
      await makeFolder(dirname(this.path));
      return openFile();
    }
  }

  /** Writes as many whole lines as the file may take, and makes room for the others if there are any. */
  async #writeSome(bytes: Buffer): Promise<void> {
    const { maxBytes = Number.POSITIVE_INFINITY, whenFull = 'stop' } = this.#options;
    const length = this.#fitting(bytes, maxBytes - this.#position);
    if (length > 0) await this.#writeAt(bytes.subarray(0, length));
    if (length === bytes.length) this.#inFlight = undefined;
    else {
      this.#inFlight = bytes.subarray(length);
      await (whenFull === 'stop' ? this.#stopFull(maxBytes) : this.#rotate());
    }
  }

  #fitting(bytes: Buffer, room: number): number {
    if (bytes.length <= room) return bytes.length;
    const length = room > 0 ? bytes.lastIndexOf(NEWLINE, room - 1) + 1 : 0;
    // What is longer than a whole file has to go somewhere.
    return length === 0 && this.#position === this.#start ? bytes.indexOf(NEWLINE) + 1 : length;
  }

  /** At an explicit place, so that an exit in the middle can write the same bytes again. */
  async #writeAt(chunk: Buffer): Promise<void> {
    let written = 0;
    while (written < chunk.length) {
      const rest = chunk.length - written;
      const place = this.#hasPlaces ? this.#position + written : null;
      const part = await this.#handle?.write(chunk, written, rest, place);
      written += part?.bytesWritten ?? rest;
    }
    this.#position += chunk.length;
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
    this.#part += 1;
    await this.#writeAt(Buffer.from(asPart(this.#lasting, this.#part)));
    this.#start = this.#position;
  }

  async #stopFull(limit: number): Promise<void> {
    await this.#writeAt(Buffer.from(encodeEntry({ kind: 'full', limit })));
    this.#stop(
      'RECORDING_FULL',
      `The recording ${this.path} reached its limit of ${limit} bytes and was ended.`,
    );
  }

  get #closeWaitMs(): number {
    return this.#options.closeWaitMs ?? CLOSE_WAIT_MS;
  }

  #givenUp(error: unknown): string {
    return `The recording ${this.path} was given up: ${errorText(error)}.`;
  }

  #stop(code: 'RECORDING_FULL' | 'RECORDING_FAILED', message: string): void {
    this.#over = true;
    this.#queue.takeAll();
    this.#inFlight = undefined;
    this.#forget();
    void this.#release();
    this.#onDiagnostic({ code, message, path: this.path });
  }

  #writeRest(): void {
    const { fd } = this.#handle ?? {};
    if (fd === undefined || this.#over) return;
    const rest = Buffer.concat([this.#inFlight ?? Buffer.alloc(0), this.#queue.takeAll()]);
    try {
      if (rest.length > 0) writeSync(fd, rest, 0, rest.length, this.#hasPlaces ? this.#position : null);
    } catch {
      // The process is ending: there is nobody left to tell.
    }
  }
}

/**
 * Makes a folder, and those it is to be in. Node's own way to do that tries for ever in a place such as /proc, and a
 * thread that does so cannot be ended.
 */
async function makeFolder(folder: string, canMakeParent = dirname(folder) !== folder): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || !canMakeParent) throw error;
    await makeFolder(dirname(folder));
    await makeFolder(folder, false);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
