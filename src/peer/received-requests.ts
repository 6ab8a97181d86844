import { encodeRefusal, encodeSuccess } from '../protocol/encode.js';
import type { RequestBody, RequestFrame } from '../protocol/frames.js';
import type { OnDiagnostic } from '../util/diagnostics.js';
import { errorText } from '../util/error-text.js';
import { Cancellation } from './cancellation.js';

/** What a handler is told beside the request. */
export interface RequestContext {
  /** The request's id, given by the other side. */
  readonly id: string;
  /** Aborted when the other side withdraws the request or the connection ends; no answer is sent then. */
  readonly signal: AbortSignal;
  /** The same, for handlers that need no signal: it costs next to nothing. */
  readonly withdrawal: Cancellation;
}

/** Answers one kind of request: the value (or nothing, for a plain ack), or a throw for an error answer. */
export type RequestHandler = (body: RequestBody, context: RequestContext) => unknown;

/** What {@link ReceivedRequests} works with. */
export interface ReceivedRequestsOptions {
  /** Sends one line; must not throw. */
  readonly send: (line: string) => void;
  readonly onDiagnostic: OnDiagnostic;
}

/** Requests of the other side that were received and not answered yet: exactly one answer each, or none if withdrawn. */
export class ReceivedRequests {
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #running = new Map<string, Cancellation>();
  readonly #send: (line: string) => void;
  readonly #onDiagnostic: OnDiagnostic;

  constructor({ send, onDiagnostic }: ReceivedRequestsOptions) {
    this.#send = send;
    this.#onDiagnostic = onDiagnostic;
  }

  /** Sets the handler of a subtype; the returned function takes it away again. */
  handle(subtype: string, handler: RequestHandler): () => void {
    this.#handlers.set(subtype, handler);
    return () => {
      if (this.#handlers.get(subtype) === handler) this.#handlers.delete(subtype);
    };
  }

  /** Starts the handler off the reading loop. Never throws. */
  receive({ id, body }: RequestFrame): void {
    if (this.#running.has(id)) {
      this.#onDiagnostic({
        code: 'DUPLICATE_REQUEST',
        message: `Request ${id} came twice; the first one counts.`,
        id,
      });
      return;
    }
    const handler = this.#handlers.get(body.subtype);
    if (handler === undefined) {
      this.#refuseUnhandled(id, body.subtype);
      return;
    }
    const withdrawal = new Cancellation();
    this.#running.set(id, withdrawal);
    void this.#run(handler, body, new Context(id, withdrawal));
  }

  /** Answers a request that could not even be read. */
  refuse(id: string, problem: string): void {
    this.#send(encodeRefusal(id, problem, 'invalid_request'));
  }

  /** Withdraws one request: its signal is aborted and no answer is sent. Says whether it was found. */
  cancel(id: string, reason: Error): boolean {
    const withdrawal = this.#running.get(id);
    if (withdrawal === undefined) return false;
    this.#running.delete(id);
    withdrawal.cancel(reason);
    return true;
  }

  /** Withdraws all. */
  cancelAll(reason: Error): void {
    for (const id of [...this.#running.keys()]) this.cancel(id, reason);
  }

  async #run(handler: RequestHandler, body: RequestBody, context: RequestContext): Promise<void> {
    // Off the reading loop: a callback never runs inside the batch that brought its request.
    await null;
    if (context.withdrawal.cancelled) return;
    const line = await answerLine(handler, body, context);
    if (context.withdrawal.cancelled) return;
    this.#running.delete(context.id);
    this.#send(line);
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

class Context implements RequestContext {
  readonly id: string;
  readonly withdrawal: Cancellation;

  constructor(id: string, withdrawal: Cancellation) {
    this.id = id;
    this.withdrawal = withdrawal;
  }

  get signal(): AbortSignal {
    return this.withdrawal.signal;
  }
}

/** Runs a handler and writes its answer; whatever it throws or returns, there is a well-formed line. */
async function answerLine(
  handler: RequestHandler,
  body: RequestBody,
  context: RequestContext,
): Promise<string> {
  try {
    return encodeSuccess(context.id, await handler(body, context));
  } catch (error) {
    return encodeRefusal(context.id, errorText(error));
  }
}
