import type { ModelRequest } from './request.js';

/** How much a {@link RequestLog} keeps. */
export interface RequestLogLimits {
  readonly count: number;
  readonly bytes: number;
}

/** The latest requests, bounded in number and in size: the oldest go first. */
export class RequestLog {
  readonly #limits: RequestLogLimits;
  readonly #kept: ModelRequest[] = [];
  #bytes = 0;

  constructor(limits: RequestLogLimits) {
    this.#limits = limits;
  }

  /** Those that are kept, oldest first. */
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
