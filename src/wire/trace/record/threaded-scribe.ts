import { existsSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../../util/clock.js';
import { type Deferred, deferred } from '../../util/deferred.js';
import type { OnDiagnostic } from '../../util/diagnostics.js';
import { quiet } from '../../util/quiet.js';
import { within } from '../../util/within.js';
import type { Sender } from '../format.js';
import { onProcessExit } from './exit-flush.js';
import { reportFailure, reportGap, type Scribe, type ScribeOptions, type ScribeParts } from './scribe.js';
import { CELLS, sizeOf, type ThreadCall, type ThreadReply } from './thread-calls.js';
import { CLOSE_WAIT_MS, MAX_WAITING, tooLong } from './trace-file.js';

/** Throws where a module has no address, as in a bundle of CommonJS. */
const program = () => new URL('../../../../dist/wire/trace/record/scribe-thread.js', import.meta.url);

/** Options whose target is a path, which is all that can be told to another thread. */
export type PathOptions = ScribeOptions & { readonly to: string };

/**
 * A scribe whose work is done in a thread of its own, one for all recordings of this process. Undefined where that
 * cannot be: in a bundle that has only one file, where threads are forbidden, or with a target that may block, since a
 * process cannot leave while a thread of it is stuck.
 */
export function threadedScribe(options: PathOptions, parts: ScribeParts): Scribe | undefined {
  try {
    if (!existsSync(program()) || !isOrdinary(options.to)) return undefined;
    return new ThreadedScribe(options, parts);
  } catch {
    return undefined;
  }
}

function isOrdinary(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}

class ThreadedScribe implements Scribe {
  readonly #options: PathOptions;
  readonly #clock: Clock;
  readonly #onDiagnostic: OnDiagnostic;
  readonly #cells = new Int32Array(new SharedArrayBuffer(CELLS.count * Int32Array.BYTES_PER_ELEMENT));
  readonly #closed: Deferred<void> = deferred();
  readonly #thread: ScribeThread;
  readonly #id: number;
  #sent = 0;
  #lost = 0;
  #toldGap = false;
  #over = false;

  constructor(options: PathOptions, { clock = systemClock, onDiagnostic }: ScribeParts) {
    this.#options = options;
    this.#clock = clock;
    this.#onDiagnostic = quiet(onDiagnostic);
    this.#thread = ScribeThread.shared();
    this.#id = this.#thread.admit({
      said: (reply) => this.#hear(reply),
      gone: (error) => this.#fail(error),
      leave: () => this.#sendClose(),
      wait: (began) => this.#wait(began),
    });
    // What others have to say is not held back by options that cannot be told to a thread.
    this.#thread.post();
    try {
      this.#send({ id: this.#id, call: 'begin', options: asSeenHere(options), cells: this.#cells });
      this.#thread.post();
    } catch (error) {
      // A rule of the user's own may hold what cannot be told to a thread.
      this.#thread.dismiss(this.#id);
      throw error;
    }
  }

  entry(t: number, text: string, lasting: boolean): void {
    if (this.#over) return;
    this.#tellLoss();
    this.#send({ id: this.#id, call: 'entry', t, text, lasting });
  }

  lines(t: number, from: Sender, text: string, count: number): void {
    if (this.#over) return;
    if (this.#waiting() > (this.#options.maxWaiting ?? MAX_WAITING)) {
      if (!this.#toldGap) reportGap(this.#onDiagnostic, this.#options.to);
      this.#toldGap = true;
      this.#lost += count;
      return;
    }
    this.#tellLoss();
    this.#send({ id: this.#id, call: 'lines', t, from, text, count });
  }

  lose(count: number): void {
    this.#lost += count;
  }

  async close(): Promise<void> {
    this.#sendClose();
    const isDone = await within(this.#closed.promise, this.#closeWaitMs, this.#clock);
    this.#thread.dismiss(this.#id);
    if (!isDone) this.#fail(tooLong(this.#closeWaitMs));
  }

  get #closeWaitMs(): number {
    return this.#options.closeWaitMs ?? CLOSE_WAIT_MS;
  }

  #tellLoss(): void {
    if (this.#lost > 0) this.#send({ id: this.#id, call: 'lose', count: this.#lost });
    this.#lost = 0;
  }

  #send(call: ThreadCall): void {
    const size = sizeOf(call);
    this.#sent += size;
    this.#thread.send(call, size);
  }

  /** Both counts go round at 2^32; their difference never comes near it. */
  #waiting(): number {
    return (this.#sent - Atomics.load(this.#cells, CELLS.handled)) | 0;
  }

  #sendClose(): void {
    this.#tellLoss();
    this.#send({ id: this.#id, call: 'close' });
  }

  /** Holds up this thread until all is safe, or has taken too long since then. */
  #wait(began: number): void {
    const left = began + this.#closeWaitMs - performance.now();
    Atomics.wait(this.#cells, CELLS.closed, 0, Math.max(0, left));
  }

  #hear(reply: ThreadReply): void {
    if (reply.reply === 'closed') this.#end();
    else this.#onDiagnostic(reply.diagnostic);
  }

  /** Nobody writes any more. */
  #end(): void {
    this.#over = true;
    this.#closed.resolve();
  }

  #fail(error: unknown): void {
    this.#end();
    reportFailure(this.#onDiagnostic, error, this.#options.to);
  }
}

/** What is read from the process is read where the recording begins, not when the thread did. */
function asSeenHere(options: PathOptions): PathOptions {
  if (options.redact === false) return options;
  const { rules, secrets, user, env = process.env, home = homedir(), tmp = tmpdir() } = options.redact ?? {};
  return { ...options, redact: { rules, secrets, user, env: { ...env }, home, tmp } };
}

/** Waking a thread costs as much as writing hundreds of lines; texts that wait are copied by collections of garbage. */
const ENOUGH = 128 * 1024;
const MOMENT_MS = 4;

/** Hears what the thread has to say to one recording. */
interface Listener {
  readonly said: (reply: ThreadReply) => void;
  readonly gone: (error: unknown) => void;
  /** The process is leaving: this is the last that can be said to the thread. */
  readonly leave: () => void;
  /** Nothing comes back from the thread any more, but it can be waited for. */
  readonly wait: (began: number) => void;
}

/** The thread, from the first recording to the last. It never keeps the process alive. */
class ScribeThread {
  static #current: ScribeThread | undefined;
  readonly #worker: Worker;
  readonly #listeners = new Map<number, Listener>();
  readonly #forget: () => void;
  #admitted = 0;
  #calls: ThreadCall[] = [];
  #size = 0;
  #soon = false;

  static shared(): ScribeThread {
    ScribeThread.#current ??= new ScribeThread();
    return ScribeThread.#current;
  }

  private constructor() {
    // Flags of the host, such as those of a profiler, are not for this thread.
    this.#worker = new Worker(program(), { name: 'coxswain-recordings', execArgv: [] });
    this.#worker.on('message', (reply: ThreadReply) => this.#listeners.get(reply.id)?.said(reply));
    // Only now: to listen for messages makes it keep the process alive again.
    this.#worker.unref();
    this.#worker.once('error', (error) => this.#end(error));
    this.#worker.once('exit', () => this.#end(new Error('its thread ended')));
    this.#forget = onProcessExit(() => this.#leave());
  }

  admit(listener: Listener): number {
    this.#admitted += 1;
    this.#listeners.set(this.#admitted, listener);
    return this.#admitted;
  }

  /** Calls go together: after a moment, or when there are enough. */
  send(call: ThreadCall, size: number): void {
    this.#calls.push(call);
    this.#size += size;
    if (this.#size >= ENOUGH) this.post();
    else if (!this.#soon) this.#postSoon();
  }

  post(): void {
    if (this.#calls.length === 0) return;
    const calls = this.#calls;
    this.#calls = [];
    this.#size = 0;
    this.#worker.postMessage(calls);
  }

  /** Nothing calls it off: in a flood there would be a timer for every few lines. */
  #postSoon(): void {
    this.#soon = true;
    setTimeout(() => {
      this.#soon = false;
      this.post();
    }, MOMENT_MS);
  }

  dismiss(id: number): void {
    this.#listeners.delete(id);
    if (this.#listeners.size > 0) return;
    this.#retire();
    void this.#worker.terminate();
  }

  #end(error: unknown): void {
    this.#retire();
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const { gone } of listeners) gone(error);
  }

  /** All are waited for at once: a thread that is stuck costs the process one wait, not one for each recording. */
  #leave(): void {
    const listeners = [...this.#listeners.values()];
    for (const { leave } of listeners) leave();
    this.post();
    const began = performance.now();
    for (const { wait } of listeners) wait(began);
  }

  /** The next recording begins a thread of its own. */
  #retire(): void {
    this.#forget();
    if (ScribeThread.#current === this) ScribeThread.#current = undefined;
  }
}
