import { encodeCancel, encodeObject, encodeRequest } from '../protocol/encode.js';
import {
  type BrokenFrame,
  classify,
  type Frame,
  isMessage,
  objectIn,
  type RequestBody,
  type WireObject,
} from '../protocol/frames.js';
import type { Transport, TransportEnd } from '../transport/transport.js';
import { type Clock, systemClock } from '../util/clock.js';
import type { OnDiagnostic } from '../util/diagnostics.js';
import { errorText } from '../util/error-text.js';
import { CoxswainError } from '../util/errors.js';
import { quiet } from '../util/listeners.js';
import { abortedError, PendingRequests } from './pending-requests.js';
import { ReceivedRequests, type RequestHandler, type RequestWatcher } from './received-requests.js';
import { type MakeRequestId, randomRequestIds } from './request-ids.js';

/** The options of a {@link ControlPeer}. */
export interface ControlPeerOptions {
  /** Receives every message, with the length of its line; must return quickly and is never awaited. */
  readonly onMessage?: (message: WireObject, length: number) => void;
  readonly onDiagnostic?: OnDiagnostic;
  /** The default deadline of a request. */
  readonly deadlineMs?: number;
  /** Whether to tell the other side that a request was given up. Off by default: old CLIs exit on a cancel. */
  readonly mayCancel?: () => boolean;
  /** Called when lines can no longer be sent and the transport has not ended to explain why. */
  readonly onBrokenPipe?: (error: Error) => void;
  /** Creates the error for everything that still waits when the transport ends. */
  readonly endError?: (end: TransportEnd, waitedFor: readonly string[]) => Error;
  /** Follows the other side's requests that handlers are working on. */
  readonly watcher?: RequestWatcher;
  readonly makeId?: MakeRequestId;
  readonly clock?: Clock;
}

/** Options of a single request. */
export interface RequestOptions {
  /** How long it may take, in milliseconds. Default: the session's. */
  readonly deadlineMs?: number | undefined;
  /** Cancels the command when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer to a request. A plain ack has `undefined` as its value. */
export interface Answer {
  readonly value: unknown;
  /** Keys next to the value in the envelope. */
  readonly beside: WireObject;
}

/** The default deadline of a request. */
export const DEFAULT_DEADLINE_MS = 30_000;

/** One end of the control protocol, the same for host and CLI: requests in both directions, and messages. */
export class ControlPeer {
  readonly #transport: Transport;
  readonly #pending: PendingRequests;
  readonly #received: ReceivedRequests;
  readonly #makeId: MakeRequestId;
  readonly #deadlineMs: number;
  readonly #onMessage: (message: WireObject, length: number) => void;
  readonly #onDiagnostic: OnDiagnostic;
  readonly #mayCancel: () => boolean;
  readonly #clock: Clock;
  #over: Error | undefined;
  #sending: { readonly promise: Promise<void>; readonly ids: (string | undefined)[] } | undefined;
  readonly #onBrokenPipe: (error: Error) => void;
  #cancelBrokenPipe: (() => void) | undefined;

  constructor(transport: Transport, options: ControlPeerOptions = {}) {
    this.#transport = transport;
    this.#clock = options.clock ?? systemClock;
    this.#pending = new PendingRequests(this.#clock, (id) => this.#withdraw(id));
    this.#makeId = options.makeId ?? randomRequestIds();
    this.#deadlineMs = options.deadlineMs ?? DEFAULT_DEADLINE_MS;
    this.#onMessage = options.onMessage ?? (() => {});
    this.#onDiagnostic = quiet(options.onDiagnostic);
    this.#mayCancel = options.mayCancel ?? (() => false);
    this.#onBrokenPipe = options.onBrokenPipe ?? (() => {});
    this.#received = new ReceivedRequests({
      send: (line) => this.#sendAnswer(line),
      onDiagnostic: this.#onDiagnostic,
      watcher: options.watcher,
    });
    void transport.ended.then((end) =>
      this.#finish((options.endError ?? defaultEndError)(end, this.#pending.labels)),
    );
  }

  /** Starts reading. Set the handlers before. */
  start(): void {
    this.#transport.start((lines) => {
      for (const line of lines) this.#take(line);
    });
  }

  /** The requests of this end that wait for an answer. */
  get waitingFor(): readonly string[] {
    return this.#pending.labels;
  }

  /** The requests of the other side that wait for an answer. */
  get answering(): readonly string[] {
    return this.#received.labels;
  }

  /** Sends a request. Settles with the first answer, the deadline, the signal or the end, whichever comes first. */
  request(body: RequestBody, options?: RequestOptions): Promise<Answer> {
    try {
      return this.#ask(body, options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #ask(body: RequestBody, { deadlineMs, signal }: RequestOptions = {}): Promise<Answer> {
    if (this.#over !== undefined) throw this.#over;
    if (signal?.aborted) throw abortedError(body.subtype, signal.reason);
    const id = this.#makeId();
    const line = encodeRequest(id, body);
    const answer = this.#pending.open(id, {
      label: body.subtype,
      deadlineMs: deadlineMs ?? this.#deadlineMs,
      signal,
    });
    this.#watch(this.#transport.send(line), id);
    return answer;
  }

  /**
   * Watches whether the line of a request, or of an answer if no id is given, is sent. A transport that sends lines
   * together returns one promise for all of them, which is watched once.
   */
  #watch(sending: Promise<void>, id?: string): void {
    if (sending === this.#sending?.promise) {
      this.#sending.ids.push(id);
      return;
    }
    const ids: (string | undefined)[] = [id];
    this.#sending = { promise: sending, ids };
    const settled = () => {
      if (this.#sending?.ids === ids) this.#sending = undefined;
    };
    sending.then(settled, (error: unknown) => {
      settled();
      for (const each of ids) this.#sendFailed(each, error);
    });
  }

  /** Handles a kind of request from the other side; the returned function removes the handler. */
  handle(subtype: string, handler: RequestHandler): () => void {
    return this.#received.handle(subtype, handler);
  }

  /** Sends a message. */
  async send(message: WireObject): Promise<void> {
    if (this.#over !== undefined) throw this.#over;
    try {
      await this.#transport.send(encodeObject(message));
    } catch (error) {
      this.#isBrokenPipe(error);
      throw error;
    }
  }

  /** Cancels the requests of this end; requests from the other end continue. */
  giveUp(error: Error): void {
    this.#pending.rejectAll(error);
  }

  /** Cancels everything that is pending, in both directions, although the transport has not ended yet. */
  abandon(error: Error): void {
    this.#finish(error);
  }

  /** Feeds a request that did not arrive as its own line, such as a redelivered prompt. */
  redeliver(frame: Frame): void {
    this.#route(frame, 0);
  }

  #take(line: string): void {
    const raw = objectIn(line);
    if (typeof raw === 'string') this.#takeNoise(line, raw);
    // Most lines are messages, so no frame is created for them.
    else if (isMessage(raw)) this.#deliver(raw, line.length);
    else this.#route(classify(raw), line.length);
  }

  #route(frame: Frame, length: number): void {
    switch (frame.kind) {
      case 'message':
        this.#deliver(frame.message, length);
        return;
      case 'request':
        if (this.#over === undefined) this.#received.receive(frame);
        return;
      case 'success':
      case 'refusal':
        this.#reportStray(this.#pending.settle(frame), frame.id);
        return;
      case 'cancel':
        this.#received.cancel(frame.id, abortedError(`request ${frame.id}`, 'withdrawn by the other side'));
        return;
      case 'broken':
        this.#takeBroken(frame);
        return;
      case 'noise':
        this.#takeNoise(frame.line, frame.problem);
        return;
      case 'keep-alive':
    }
  }

  #deliver(message: WireObject, length: number): void {
    try {
      this.#onMessage(message, length);
    } catch (error) {
      this.#onDiagnostic({
        code: 'LISTENER_FAILED',
        message: `A message listener failed: ${errorText(error)}`,
      });
    }
  }

  #sendFailed(id: string | undefined, error: unknown): void {
    if (this.#over !== undefined) return;
    const isBrokenPipe = this.#isBrokenPipe(error);
    if (id === undefined) this.#onDiagnostic({ code: 'ANSWER_NOT_SENT', message: errorText(error) });
    else if (!isBrokenPipe)
      this.#pending.reject(id, error instanceof Error ? error : new Error(errorText(error)));
  }

  /** A broken pipe is usually the first sign of the end; wait for the end to get the real cause. */
  #isBrokenPipe(error: unknown): boolean {
    if (!(error instanceof CoxswainError) || error.code !== 'TRANSPORT_CLOSED') return false;
    if (this.#over !== undefined) return true;
    this.#cancelBrokenPipe ??= this.#clock.after(END_AFTER_BROKEN_PIPE_MS, () => {
      this.#pending.rejectAll(error);
      this.#onBrokenPipe(error);
    });
    return true;
  }

  #takeNoise(line: string, problem: string): void {
    const message = `A line was skipped: ${problem}.`;
    this.#onDiagnostic({ code: 'NOISE_LINE', message, line: line.slice(0, NOISE_SHOWN) });
  }

  #takeBroken(frame: BrokenFrame): void {
    this.#onDiagnostic({
      code: 'BROKEN_FRAME',
      message: `A ${frame.type} was broken: ${frame.problem}.`,
      frame: frame.raw,
    });
    const { id } = frame;
    if (id === undefined) return;
    if (frame.type === 'control_response') this.#reportStray(this.#pending.settle({ ...frame, id }), id);
    else this.#received.refuse(id, `This control request is broken: ${frame.problem}.`);
  }

  #reportStray(match: 'settled' | 'late' | 'unknown', id: string): void {
    if (match === 'settled') return;
    const code = match === 'late' ? 'LATE_ANSWER' : 'UNKNOWN_ANSWER';
    const what = match === 'late' ? 'was settled before' : 'was never sent';
    this.#onDiagnostic({ code, message: `An answer to ${id} was dropped: that request ${what}.`, id });
  }

  #withdraw(id: string): void {
    // Nobody waits for this any more, so a cancel that cannot be sent does no harm.
    if (this.#mayCancel()) this.#transport.send(encodeCancel(id)).catch(() => {});
  }

  #sendAnswer(line: string): void {
    try {
      this.#watch(this.#transport.send(line));
    } catch (error) {
      this.#sendFailed(undefined, error);
    }
  }

  #finish(error: Error): void {
    if (this.#over !== undefined) return;
    this.#over = error;
    this.#cancelBrokenPipe?.();
    this.#pending.rejectAll(error);
    this.#received.cancelAll(error);
  }
}

/** How long to wait after a broken pipe for the other side to end and give the cause. */
const END_AFTER_BROKEN_PIPE_MS = 2_000;

/** How much of a noise line a diagnostic keeps. */
const NOISE_SHOWN = 2_000;

function defaultEndError(end: TransportEnd, waitedFor: readonly string[]): Error {
  const what = waitedFor.length === 0 ? '' : ` while waiting for ${waitedFor.join(', ')}`;
  const cause = end.reason === 'failed' ? end.error : undefined;
  return new CoxswainError('CLI_ENDED', `The connection was closed${what}.`, { cause });
}
