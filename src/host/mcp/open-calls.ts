import type { WireObject } from '../../wire/protocol/frames.js';
import { deferred } from '../../wire/util/deferred.js';
import { PassingMap } from '../../wire/util/maps.js';
import { type RpcId, rpcError } from './json-rpc.js';

/** A request of the CLI that a server is working on. */
export interface OpenCall {
  /** The id that the server sees. */
  readonly id: number;
  /** The answer, with the id that the CLI used; never rejects. */
  readonly answer: Promise<WireObject>;
}

interface Entry {
  readonly wireId: RpcId;
  readonly resolve: (answer: WireObject) => void;
}

/**
 * Requests of the CLI that a server has not answered. Each gets a new id: old CLIs may run two
 * handshakes at once, and both of their clients count from 0.
 */
export class OpenCalls {
  readonly #open = new PassingMap<number, Entry>();
  #last = 0;

  get size(): number {
    return this.#open.size;
  }

  /** Waits for the answer to a request. */
  open(wireId: RpcId): OpenCall {
    const { promise: answer, resolve } = deferred<WireObject>();
    this.#last += 1;
    this.#open.set(this.#last, { wireId, resolve });
    return { id: this.#last, answer };
  }

  /** The newest open request with this CLI id. */
  find(wireId: RpcId): number | undefined {
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
  fail(id: number, code: number, message: string): boolean {
    const entry = this.#take(id);
    entry?.resolve(rpcError(entry.wireId, code, message));
    return entry !== undefined;
  }

  /** Answers all requests with one error. */
  failAll(code: number, message: string): void {
    for (const id of this.#open.keys()) this.fail(id, code, message);
  }

  #take(id: RpcId): Entry | undefined {
    if (typeof id !== 'number') return undefined;
    const entry = this.#open.get(id);
    this.#open.delete(id);
    return entry;
  }
}
