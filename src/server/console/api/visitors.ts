import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Access, Visitor } from '../http/access.js';
import type { RemoteEnd } from '../http/connection-limits.js';
import type { AuditLog } from '../keys/audit-log.js';
import { HttpProblem } from './problems.js';
import { RateLimit, type RateLimits } from './rate-limit.js';

/** The dependencies of {@link Visitors}. */
export interface VisitorParts {
  readonly access: Access;
  readonly audit: AuditLog;
  /** A connection with a valid key. */
  readonly cameIn: (end: RemoteEnd) => void;
  readonly rateLimits?: RateLimits | undefined;
}

/** How many requests of one key may run at once. */
const MOST_RUNNING = 128;

/** Who calls the HTTP API, and whether they exceed their limits. */
export class Visitors {
  readonly #parts: VisitorParts;
  readonly #rate: RateLimit;
  readonly #running = new Map<string, number>();

  constructor(parts: VisitorParts) {
    this.#parts = parts;
    this.#rate = new RateLimit(parts.rateLimits);
  }

  /** Only keys in the header count: a browser never sends it for another site's page. @throws HttpProblem. */
  async comeIn({
    headers: { authorization },
    socket,
  }: IncomingMessage | Http2ServerRequest): Promise<Visitor> {
    const { access, audit } = this.#parts;
    const from = socket?.remoteAddress;
    const visitor = access.whoIs({ authorization }, from);
    if (visitor === undefined || visitor.kind === 'page') {
      if (authorization !== undefined) audit.refused('key refused', from);
      await access.afterGuess();
      const headers = { 'www-authenticate': 'Bearer' };
      throw new HttpProblem(401, 'KEY_REFUSED', {
        detail: 'A key is required: Authorization: Bearer …',
        headers,
      });
    }
    if (socket !== undefined) this.#parts.cameIn(socket);
    const seconds = this.#rate.take(visitor.keyHash);
    if (seconds === undefined) return visitor;
    throw new HttpProblem(429, 'TOO_MANY_REQUESTS', {
      detail: `This key sends too many requests. Try again in ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
    });
  }

  /** Counts a request while it runs; the returned function ends the count. @throws HttpProblem. */
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
