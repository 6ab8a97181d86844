import type { ControlPeer } from '../../../wire/peer/control-peer.js';
import type { RequestHandler } from '../../../wire/peer/received-requests.js';

/** The handlers of CLI requests, kept across reopens. The peer refuses requests without a handler by name. */
export class CliRequestHandlers {
  /** By subtype; the last handler is active. */
  readonly #handlers = new Map<string, readonly RequestHandler[]>();
  readonly #withdrawals = new Map<string, () => void>();
  #peer: ControlPeer | undefined;

  /** A description of the CLI requests that wait for the host. */
  get open(): readonly string[] {
    return this.#peer?.answering ?? [];
  }

  /** Handles all requests of a new peer. */
  register(peer: ControlPeer): void {
    this.#peer = peer;
    for (const subtype of this.#handlers.keys()) this.#offer(subtype);
  }

  /** Handles a kind of request instead of the previous handler; the returned function restores it. */
  handle(subtype: string, handler: RequestHandler): () => void {
    const handlers = this.#handlers.get(subtype) ?? [];
    this.#handlers.set(subtype, [...handlers, handler]);
    if (handlers.length === 0) this.#offer(subtype);
    return () => {
      const left = (this.#handlers.get(subtype) ?? []).filter((other) => other !== handler);
      this.#handlers.set(subtype, left);
      if (left.length === 0) this.#withdrawals.get(subtype)?.();
    };
  }

  /** Answers several kinds of requests. */
  handleAll(handlers: Readonly<Record<string, RequestHandler | undefined>>): void {
    for (const [subtype, handler] of Object.entries(handlers))
      if (handler !== undefined) this.handle(subtype, handler);
  }

  /** Registers this kind of request with the peer, for the current handler. */
  #offer(subtype: string): void {
    const handlers = this.#handlers.get(subtype) ?? [];
    if (this.#peer === undefined || handlers.length === 0) return;
    const answer: RequestHandler = (body, context) => this.#handlers.get(subtype)?.at(-1)?.(body, context);
    this.#withdrawals.set(subtype, this.#peer.handle(subtype, answer));
  }
}
