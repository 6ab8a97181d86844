import type { OpenParams } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';
import { OwnerRequests } from './owner-requests.js';

/** The program that opened a session and provides hooks and tools to its CLI; a page's session has none. */
export class SessionProgram {
  readonly #clock: Clock;
  readonly #graceMs: number | undefined;
  #requests: OwnerRequests | undefined;
  #client: string | undefined;
  #away = false;

  constructor(clock: Clock, graceMs: number | undefined) {
    this.#clock = clock;
    this.#graceMs = graceMs;
  }

  /** The CLI's requests to it. */
  get requests(): OwnerRequests | undefined {
    return this.#requests;
  }

  /** The client that it is. */
  get client(): string | undefined {
    return this.#client;
  }

  /** Who owns the session: without its program, it becomes a page's session at the next start. */
  get kind(): 'page' | 'program' {
    return this.#client === undefined ? 'page' : 'program';
  }

  get away(): boolean {
    return this.#away;
  }

  /** A CLI is about to start, for a program or for a page. */
  start({ program }: OpenParams, client: string | undefined): void {
    this.#client = program === undefined ? undefined : client;
    this.#away = false;
    this.#requests =
      this.#client === undefined
        ? undefined
        : new OwnerRequests(program?.initialize.hooks, this.#clock, this.#graceMs);
  }

  /** It was lost, or is back. */
  changed(connected: boolean): void {
    this.#requests?.ownerChanged(connected);
    this.#away = !connected;
  }
}
