import { type Clock, systemClock, within } from '../../util/clock.js';
import type { OnDiagnostic } from '../../util/diagnostics.js';
import { errorText } from '../../util/error-text.js';
import { CoxswainError } from '../../util/errors.js';
import { quiet } from '../../util/listeners.js';
import { recordProblem } from '../../util/record-problem.js';
import { ByteQueue } from './byte-queue.js';
import { asPart, encodeEntry } from './encode-entry.js';
import { LimitedFile, type LimitedFileOptions } from './limited-file.js';
import { CLOSE_WAIT_MS, MAX_WAITING, type TraceSink, tooLong } from './trace-sink.js';

/** The options of {@link traceFile}. */
export interface TraceFileOptions extends LimitedFileOptions {
  /** At the limit: `stop` ends the recording, `rotate` renames the file to `<path>.1` and continues. Default: `stop`. */
  readonly whenFull?: 'stop' | 'rotate' | undefined;
  /** How many bytes may wait for a slow disk before lines are replaced by a gap. Default: 32 MiB. */
  readonly maxWaiting?: number | undefined;
  /** How long `flush` and `close` wait for the disk, in milliseconds. Default: 2,000. */
  readonly closeWaitMs?: number | undefined;
  /** Called when writing fails or stops. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
  /** @internal */
  readonly clock?: Clock | undefined;
  /** @internal Called when the process exits, before the rest is written. */
  readonly beforeExit?: (() => void) | undefined;
}

/** Writes a recording to a file. A failure is reported once and ends the recording, never the session. */
export function traceFile(
  path: string,
  options: TraceFileOptions = {},
): TraceSink & { readonly path: string } {
  return new TraceFile(path, options);
}

/** The size of a write. Less waits a moment for more, because every write has a fixed cost. */
const ENOUGH = 768 * 1024;
const MOMENT_MS = 2;
const NOTHING = Buffer.alloc(0);

/** See {@link traceFile}. */
export class TraceFile implements TraceSink {
  readonly #options: TraceFileOptions;
  readonly #onDiagnostic: OnDiagnostic;
  readonly #file: LimitedFile;
  readonly #exitFlush = () => this.#writeNow();
  readonly #queue = new ByteQueue();
  /** What was taken from the queue but is not written yet. */
  #inFlight: Buffer = NOTHING;
  #lasting = '';
  #opening: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #draining: Promise<void> | undefined;
  #over = false;

  constructor(path: string, options: TraceFileOptions) {
    const problem = recordProblem(options);
    if (problem !== undefined) throw new CoxswainError('OPTION_INVALID', `The recording ${path}: ${problem}`);
    this.#options = options;
    this.#onDiagnostic = quiet(options.onDiagnostic);
    this.#file = new LimitedFile(path, options);
    flushAtExit(this.#exitFlush);
  }

  /** The path of the recording: next to the requested path if that one was taken. Known from the first write on. */
  get path(): string {
    return this.#file.path;
  }

  write(text: string, lasting = false): boolean {
    // A single text is always accepted, however long; the next one has to wait for room.
    if (!this.#over && this.#waiting > (this.#options.maxWaiting ?? MAX_WAITING)) return false;
    this.insist(text, lasting);
    return true;
  }

  /** Accepts a short text that must not be lost, however much is waiting. */
  insist(text: string, lasting: boolean): void {
    if (this.#over) return;
    if (lasting) this.#lasting += text;
    this.#queue.push(text);
    this.#opening ??= this.#open();
    this.#drainSoon();
  }

  #open(): Promise<void> {
    const wanted = this.path;
    const opening = this.#file.open();
    // Reported when it is awaited, together with all other failures.
    opening.catch(() => {});
    if (this.path !== wanted) {
      const message = `${wanted} exists: the recording goes to ${this.path}.`;
      this.#onDiagnostic({ code: 'RECORDING_BESIDE', message, path: this.path });
    }
    return opening;
  }

  flush(): Promise<void> {
    return this.#flush(this.#options.closeWaitMs);
  }

  /** Where nobody waits for it, a slow disk may take as long as it needs. */
  async close(waitMs = this.#options.closeWaitMs): Promise<void> {
    await this.#flush(waitMs);
    // Do not wait for a disk that hangs.
    if (this.#waiting > 0) this.#fail(tooLong(waitMs));
    this.#end();
  }

  async #flush(waitMs = CLOSE_WAIT_MS): Promise<void> {
    const { clock = systemClock } = this.#options;
    await within(this.#drainAll(), waitMs, clock);
  }

  get #waiting(): number {
    return this.#over ? 0 : this.#queue.length + this.#inFlight.length;
  }

  #drainSoon(): void {
    if (this.#draining !== undefined) return;
    if (this.#waiting >= ENOUGH) void this.#drain();
    else this.#timer ??= setTimeout(() => void this.#drain(), MOMENT_MS);
  }

  #drain(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#draining ??= this.#writeWaiting().then(() => {
      this.#draining = undefined;
      if (this.#over) this.#file.close();
      else if (this.#waiting > 0) this.#drainSoon();
    });
    return this.#draining;
  }

  async #drainAll(): Promise<void> {
    while (this.#waiting > 0) await this.#drain();
  }

  /** Writes the contiguous bytes. Anything that arrives meanwhile waits for the next write. */
  async #writeWaiting(): Promise<void> {
    try {
      await this.#opening;
      const bytes = this.#queue.take() ?? NOTHING;
      this.#inFlight = bytes;
      while (!this.#over && this.#inFlight.length > 0) await this.#writeSome();
      this.#queue.giveBack(bytes);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Writes as many lines as fit, and makes room for the others if there are any. */
  async #writeSome(): Promise<void> {
    const length = this.#file.fitting(this.#inFlight);
    await this.#file.write(this.#inFlight.subarray(0, length));
    this.#inFlight = this.#inFlight.subarray(length);
    if (this.#inFlight.length === 0) return;
    if (this.#options.whenFull === 'rotate') this.#file.rotate((part) => asPart(this.#lasting, part));
    else await this.#stopFull();
  }

  async #stopFull(): Promise<void> {
    const { maxBytes = 0 } = this.#options;
    await this.#file.write(fullEntry(maxBytes));
    const message = `The recording ${this.path} reached its limit of ${maxBytes} bytes and stops here.`;
    this.#stop('RECORDING_FULL', message);
  }

  #fail(error: unknown): void {
    this.#stop('RECORDING_FAILED', `The recording ${this.path} was stopped: ${errorText(error)}.`);
  }

  #stop(code: 'RECORDING_FULL' | 'RECORDING_FAILED', message: string): void {
    if (this.#over) return;
    this.#end();
    this.#onDiagnostic({ code, message, path: this.path });
  }

  #end(): void {
    this.#over = true;
    this.#queue.takeAll();
    noFlushAtExit(this.#exitFlush);
    // A running write still needs the file: it is closed after that.
    if (this.#draining === undefined) this.#file.close();
  }

  /** The process exits: write the rest now. A limit still stops a recording, but no longer rotates it. */
  #writeNow(): void {
    this.#options.beforeExit?.();
    // A pipe cannot accept the same bytes twice, and might block.
    const mayWrite = this.#file.isRegular || this.#inFlight.length === 0;
    if (this.#over || !this.#file.isOpen || !mayWrite) return;
    const { whenFull, maxBytes = 0 } = this.#options;
    const rest = Buffer.concat([this.#inFlight, ...this.#queue.takeAll()]);
    const length = whenFull === 'rotate' ? rest.length : this.#file.fitting(rest);
    try {
      this.#file.writeNow(rest.subarray(0, length));
      if (length < rest.length) this.#file.writeNow(fullEntry(maxBytes));
    } catch {
      // The process is ending, so there is nobody to report to.
    }
  }
}

function fullEntry(limit: number): Buffer {
  return Buffer.from(encodeEntry({ kind: 'full', limit }));
}

const exitFlushes = new Set<() => void>();
const flushAll = () => {
  for (const flush of exitFlushes) flush();
};

/** One listener serves all recordings: Node warns about more than ten. It is removed with the last of them. */
function flushAtExit(flush: () => void): void {
  if (exitFlushes.size === 0) process.once('exit', flushAll);
  exitFlushes.add(flush);
}

function noFlushAtExit(flush: () => void): void {
  if (exitFlushes.delete(flush) && exitFlushes.size === 0) process.off('exit', flushAll);
}
