import { encodeRefusal, encodeSuccess } from '../protocol/encode.js';
import type { RequestBody, RequestFrame } from '../protocol/frames.js';
import type { OnDiagnostic } from '../util/diagnostics.js';
import { errorText } from '../util/error-text.js';
import { PassingMap } from '../util/maps.js';
import { Cancellation } from './cancellation.js';

/** The context of a request handler. */
export interface RequestContext {
  /** The request id from the other side. */
  readonly id: string;
  /** Aborted when the other side withdraws the request or the connection ends; no answer is sent then. */
  readonly signal: AbortSignal;
  /** The same without a signal, for our own handlers; it costs almost nothing. @internal */
  readonly withdrawal: Cancellation;
}

/** Handles one kind of request. Return the value (or nothing, for a plain ack), or throw to answer with an error. */
export type RequestHandler = (body: RequestBody, context: RequestContext) => unknown;

/** Follows the requests that a handler is working on. */
export interface RequestWatcher {
  /** A request started waiting for its answer. */
  requestOpened(body: RequestBody): void;
  /** A request was answered or withdrawn. */
  requestClosed(): void;
}

/** The dependencies of {@link ReceivedRequests}. */
export interface ReceivedRequestsOptions {
  /** Sends one line; must not throw. */
  readonly send: (line: string) => void;
  readonly onDiagnostic: OnDiagnostic;
  readonly watcher?: RequestWatcher | undefined;
}

/** Requests from the other side that are not answered yet: each gets exactly one answer, or none if withdrawn. */
export class ReceivedRequests {
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #running = new PassingMap<string, ReceivedRequest>();
  readonly #send: (line: string) => void;
  readonly #onDiagnostic: OnDiagnostic;
  readonly #watcher: RequestWatcher | undefined;

  constructor({ send, onDiagnostic, watcher }: ReceivedRequestsOptions) {
    this.#send = send;
    this.#onDiagnostic = onDiagnostic;
    this.#watcher = watcher;
  }

  /** What waits for an answer of this end, in order of arrival. */
  get labels(): readonly string[] {
    return this.#running
      .values()
      .map(({ body }) =>
        body.tool_name === undefined ? body.subtype : `${body.subtype} ${String(body.tool_name)}`,
      );
  }

  /** Sets the handler of a subtype; the returned function removes it. */
  handle(subtype: string, handler: RequestHandler): () => void {
    this.#handlers.set(subtype, handler);
    return () => {
      if (this.#handlers.get(subtype) === handler) this.#handlers.delete(subtype);
    };
  }

  /** Starts the handler outside the reading loop. Never throws. */
  receive({ id, body }: RequestFrame): void {
    if (this.#running.has(id)) {
      this.#onDiagnostic({
        code: 'DUPLICATE_REQUEST',
        message: `Request ${id} arrived twice; the first one counts.`,
        id,
      });
      return;
    }
    const handler = this.#handlers.get(body.subtype);
    if (handler === undefined) {
      this.#refuseUnhandled(id, body.subtype);
      return;
    }
    const request = new ReceivedRequest(id, body);
    this.#running.set(id, request);
    this.#watcher?.requestOpened(body);
    void this.#run(handler, request);
  }

  /** Answers a request that could not be parsed. */
  refuse(id: string, problem: string): void {
    this.#send(encodeRefusal(id, problem, 'invalid_request'));
  }

  /** Withdraws one request: its signal is aborted and no answer is sent. Returns whether it was found. */
  cancel(id: string, reason: Error): boolean {
    const request = this.#running.get(id);
    if (request === undefined) return false;
    this.#close(id);
    request.withdrawal.cancel(reason);
    return true;
  }

  /** Withdraws all. */
  cancelAll(reason: Error): void {
    for (const id of this.#running.keys()) this.cancel(id, reason);
  }

  /** Whatever the handler throws or returns, the answer is well-formed. */
  async #run(handler: RequestHandler, request: ReceivedRequest): Promise<void> {
    const { id, body, withdrawal } = request;
    // Outside the reading loop: a callback never runs inside the batch that contained its request.
    await null;
    if (withdrawal.cancelled) return;
    let line: string;
    try {
      line = encodeSuccess(id, await handler(body, request));
    } catch (error) {
      line = encodeRefusal(id, errorText(error));
    }
    if (withdrawal.cancelled) return;
    this.#close(id);
    this.#send(line);
  }

  #close(id: string): void {
    this.#running.delete(id);
    this.#watcher?.requestClosed();
  }

  #refuseUnhandled(id: string, subtype: string): void {
    this.#onDiagnostic({
      code: 'UNHANDLED_REQUEST',
      message: `Nothing here handles ${subtype}; it was answered with an error.`,
      id,
      subtype,
    });
    this.#send(encodeRefusal(id, `Unsupported control request subtype: ${subtype}`, 'unsupported_request'));
  }
}

/** A request that a handler is working on. */
class ReceivedRequest implements RequestContext {
  readonly id: string;
  readonly body: RequestBody;
  readonly withdrawal = new Cancellation();

  constructor(id: string, body: RequestBody) {
    this.id = id;
    this.body = body;
  }

  get signal(): AbortSignal {
    return this.withdrawal.signal;
  }
}
