import { CoxswainError } from '../../../wire/util/errors.js';
import type { ModelRequest } from './request.js';

/** How much a {@link RequestLog} keeps. */
export interface RequestLogLimits {
  readonly count: number;
  readonly bytes: number;
}

/** The latest requests, limited in number and size: the oldest are dropped first. */
export class RequestLog {
  readonly #limits: RequestLogLimits;
  readonly #kept: ModelRequest[] = [];
  #bytes = 0;

  constructor(limits: RequestLogLimits) {
    this.#limits = limits;
  }

  /** The requests kept, oldest first. */
  get kept(): readonly ModelRequest[] {
    return this.#kept;
  }

  /** Adds one; the newest is always kept. */
  add(request: ModelRequest): void {
    this.#kept.push(request);
    this.#bytes += request.size;
    while (this.#kept.length > 1 && this.#isOver()) {
      this.#bytes -= this.#kept.shift()?.size ?? 0;
    }
  }

  #isOver(): boolean {
    return this.#kept.length > this.#limits.count || this.#bytes > this.#limits.bytes;
  }
}

interface Waiter {
  readonly fits: (request: ModelRequest) => boolean;
  readonly resolve: (request: ModelRequest) => void;
  readonly reject: (why: string) => void;
}

/** Waits for a future request. Each wait ends: with the request, by timeout, or with the model. */
export class RequestWaiters {
  readonly #waiters = new Set<Waiter>();

  /** Resolves with the next matching request. */
  wait(
    fits: (request: ModelRequest) => boolean,
    timeoutMs: number,
    report: () => string,
  ): Promise<ModelRequest> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
      };
      const waiter: Waiter = {
        fits,
        resolve: (request) => {
          settle();
          resolve(request);
        },
        reject: (why) => {
          settle();
          const message = `The awaited request did not arrive: ${why}.\n${report()}`;
          reject(new CoxswainError('MODEL_SCRIPT_FAILED', message));
        },
      };
      const timer = setTimeout(() => waiter.reject(`${timeoutMs} ms have passed`), timeoutMs);
      this.#waiters.add(waiter);
    });
  }

  /** Passes a request to everyone who waits for it. */
  offer(request: ModelRequest): void {
    for (const waiter of [...this.#waiters]) if (waiter.fits(request)) waiter.resolve(request);
  }

  /** Ends all waits. */
  rejectAll(why: string): void {
    for (const waiter of [...this.#waiters]) waiter.reject(why);
  }
}
