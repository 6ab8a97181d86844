import type { WireObject } from '../../wire/protocol/frames.js';
import { deferred } from '../../wire/util/deferred.js';
import { PassingMap } from '../../wire/util/maps.js';
import { type RpcId, rpcError } from './json-rpc.js';

/** A request of the CLI that a server is working on. */
export interface OpenCall {
  /** The id that the server sees. */
  readonly id: RpcId;
  /** The answer, with the id that the CLI used; never rejects. */
  readonly answer: Promise<WireObject>;
}

interface Entry {
  readonly wireId: RpcId;
  readonly resolve: (answer: WireObject) => void;
}

/**
 * Requests of the CLI that a server has not answered. Numbers are replaced: old CLIs may run two handshakes at once,
 * and both of their clients count from 0. Texts, which newer ones use, are unique and stay.
 */
export class OpenCalls {
  readonly #open = new PassingMap<RpcId, Entry>();
  #last = 0;

  get size(): number {
    return this.#open.size;
  }

  /** Waits for the answer to a request. */
  open(wireId: RpcId): OpenCall {
    const { promise: answer, resolve } = deferred<WireObject>();
    const id = this.#idFor(wireId);
    this.#open.set(id, { wireId, resolve });
    return { id, answer };
  }

  /** The newest open request with this CLI id. */
  find(wireId: RpcId): RpcId | undefined {
    const ids = this.#open
      .entries()
      .filter(([, entry]) => entry.wireId === wireId)
      .map(([id]) => id);
    return ids.at(-1);
  }

  /** Answers a request with the server's response; returns whether it was still open. */
  settle(id: RpcId, response: WireObject): boolean {
    const entry = this.#take(id);
    entry?.resolve({ ...response, id: entry.wireId });
    return entry !== undefined;
  }

  /** Answers a request with our own error; returns whether it was still open. */
  fail(id: RpcId, code: number, message: string): boolean {
    const entry = this.#take(id);
    entry?.resolve(rpcError(entry.wireId, code, message));
    return entry !== undefined;
  }

  /** Answers all requests with one error. */
  failAll(code: number, message: string): void {
    for (const id of this.#open.keys()) this.fail(id, code, message);
  }

  #idFor(wireId: RpcId): RpcId {
    if (typeof wireId === 'string' && !this.#open.has(wireId)) return wireId;
    this.#last += 1;
    return this.#last;
  }

  #take(id: RpcId): Entry | undefined {
    const entry = this.#open.get(id);
    this.#open.delete(id);
    return entry;
  }
}
