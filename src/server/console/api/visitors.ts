import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { type Access, afterGuess, type Visitor } from '../http/access.js';
import { HttpProblem } from './problems.js';
import { RateLimit, type RateLimits } from './rate-limit.js';

/** What {@link Visitors} works with. */
export interface VisitorParts {
  readonly access: Access;
  /** The connection of somebody with a good key. */
  readonly cameIn: (socket: unknown) => void;
  readonly rateLimits?: RateLimits | undefined;
}

/** How many requests of one key may be at work at once. */
const MOST_RUNNING = 128;

/** Who asks by HTTP, and whether they ask for too much. */
export class Visitors {
  readonly #parts: VisitorParts;
  readonly #rate: RateLimit;
  readonly #running = new Map<string, number>();

  constructor(parts: VisitorParts) {
    this.#parts = parts;
    this.#rate = new RateLimit(parts.rateLimits);
  }

  /** Only keys in the header count: a browser sends it for no page of another site. @throws HttpProblem. */
  async comeIn({
    headers: { authorization },
    socket,
  }: IncomingMessage | Http2ServerRequest): Promise<Visitor> {
    const visitor = this.#parts.access.whoIs({ authorization });
    if (visitor === undefined || visitor.kind === 'page') {
      await afterGuess();
      const headers = { 'www-authenticate': 'Bearer' };
      throw new HttpProblem(401, 'KEY_REFUSED', {
        detail: 'A key is needed: Authorization: Bearer …',
        headers,
      });
    }
    this.#parts.cameIn(socket);
    const seconds = this.#rate.take(visitor.keyHash);
    if (seconds === undefined) return visitor;
    throw new HttpProblem(429, 'TOO_MANY_REQUESTS', {
      detail: `This key sends too many requests. Try again in ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
    });
  }

  /** Counts a request while it is at work; the returned function ends that. @throws HttpProblem. */
  enter({ keyHash }: Visitor): () => void {
    const before = this.#running.get(keyHash) ?? 0;
    if (before >= MOST_RUNNING) {
      const detail = `${before} requests of this key are in progress, which is the limit.`;
      throw new HttpProblem(429, 'TOO_MANY_REQUESTS', { detail, headers: { 'retry-after': '1' } });
    }
    this.#running.set(keyHash, before + 1);
    return () => {
      const left = (this.#running.get(keyHash) ?? 1) - 1;
      if (left === 0) this.#running.delete(keyHash);
      else this.#running.set(keyHash, left);
    };
  }
}
