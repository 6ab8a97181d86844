import type { RpcId } from './json-rpc.js';

/** How many requests of one server may wait for the CLI; above that the oldest is forgotten. */
const KEPT = 1_000;

/**
 * The ids of requests that a server itself makes. On the wire they have a different form than the CLI's own numbers,
 * so that one can never be mistaken for the answer to the other.
 */
export class AskedIds {
  readonly #serverIds = new Map<string, RpcId>();
  #last = 0;

  get size(): number {
    return this.#serverIds.size;
  }

  /** The wire id of a request of the server. */
  add(serverId: RpcId): string {
    this.#last += 1;
    const wireId = `server_${this.#last}`;
    this.#serverIds.set(wireId, serverId);
    if (this.#serverIds.size > KEPT) this.#forgetOldest();
    return wireId;
  }

  /** The server's own id of an answered request; undefined if nothing waits for it. */
  take(wireId: RpcId): RpcId | undefined {
    if (typeof wireId !== 'string') return undefined;
    const serverId = this.#serverIds.get(wireId);
    this.#serverIds.delete(wireId);
    return serverId;
  }

  /** The wire id of a request that the server withdraws. */
  withdraw(serverId: RpcId): string | undefined {
    const found = [...this.#serverIds].find(([, id]) => id === serverId)?.[0];
    if (found !== undefined) this.#serverIds.delete(found);
    return found;
  }

  #forgetOldest(): void {
    for (const oldest of this.#serverIds.keys()) {
      this.#serverIds.delete(oldest);
      break;
    }
  }
}
