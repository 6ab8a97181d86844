import type { Attached, Position } from '../../../entry/remote/contract.js';
import { isPassing } from '../../conversation/events.js';
import type { LogEntry } from '../log/entry.js';
import type { ServedSession } from '../sessions/served-session.js';

/** Where a {@link Viewer} sends events: to a socket, or to a stream of server-sent events. */
export interface EventOutlet {
  readonly open: boolean;
  /** Whether events may be sent now. */
  readonly writable: boolean;
  /** Resolves when they may, or the client is gone. */
  drained(): Promise<void>;
  /** Says where the events continue. */
  sendAttached(attached: Attached): void;
  sendEntry(session: string, entry: LogEntry): void;
}

/** What a {@link Viewer} needs from a session. */
export type ViewedSession = Pick<ServedSession, 'id' | 'log' | 'viewersChanged'>;

/** What a client wants from a session. */
export interface ViewerOptions extends Position {
  /** Whether it wants partial messages too. */
  readonly partial: boolean;
  /** Whether it keeps the session's CLI from being parked. Default: yes. */
  readonly watches?: boolean | undefined;
}

/** Looks up where a client is in a log; the returned function makes its viewer. */
export async function findPlace(
  session: ViewedSession,
  options: ViewerOptions,
): Promise<(outlet: EventOutlet) => Viewer> {
  const isKnown = options.after < 0 || (await session.log.has(options));
  return (outlet) => new Viewer(session, outlet, { ...options, isKnown });
}

/**
 * Sends the events of one session to one client: a position in the log that advances as the client accepts them.
 * Nothing is queued, so a slow client costs no memory; what it missed is read from the log when it is ready.
 */
export class Viewer {
  readonly #session: ViewedSession;
  readonly #outlet: EventOutlet;
  readonly #partial: boolean;
  readonly #watches: boolean;
  readonly #unwatch: () => void;
  #next = 1;
  /** The series of the last event, as far as the client was told. */
  #series: string | undefined;
  #losses: number;
  #busy = false;
  #over = false;

  constructor(
    session: ViewedSession,
    outlet: EventOutlet,
    { after, series, partial, watches = true, isKnown }: ViewerOptions & { readonly isKnown: boolean },
  ) {
    this.#session = session;
    this.#outlet = outlet;
    this.#partial = partial;
    this.#watches = watches;
    this.#series = isKnown ? series : undefined;
    this.#losses = session.log.losses;
    this.#begin(after, isKnown);
    this.#unwatch = session.log.watch(() => this.#wake());
    if (watches) session.viewersChanged(1);
    this.#wake();
  }

  /** Whether the client is up to date. */
  get isCaughtUp(): boolean {
    return this.#next > this.#session.log.last;
  }

  stop(): void {
    if (this.#over) return;
    this.#over = true;
    this.#unwatch();
    if (this.#watches) this.#session.viewersChanged(-1);
  }

  #begin(after: number, isKnown: boolean): void {
    const { log } = this.#session;
    const { first, last } = log;
    if (after < 0) this.#jump(last + 1, false);
    else if (!isKnown) this.#jump(first, true);
    else this.#jump(Math.max(after + 1, first), after + 1 < first && after > 0);
  }

  #jump(from: number, reset: boolean): void {
    this.#next = from;
    const { id, log } = this.#session;
    const { first, last } = log;
    const series = this.#series === undefined ? {} : { series: this.#series };
    const attached: Attached = { type: 'attached', session: id, from, reset, first, last, ...series };
    this.#outlet.sendAttached(attached);
  }

  #wake(): void {
    if (this.#busy) return;
    this.#busy = true;
    this.#pump()
      // An unreadable log has a gap there.
      .catch(() => this.#jump(this.#session.log.firstRecent, true))
      .finally(() => {
        this.#busy = false;
        if (this.#isBehind || this.#hasLost) this.#wake();
      });
  }

  /** Whether what the client has may be gone from the log. */
  get #hasLost(): boolean {
    return !this.#over && this.#outlet.open && this.#losses !== this.#session.log.losses;
  }

  get #isBehind(): boolean {
    return !this.#over && this.#outlet.open && this.#next <= this.#session.log.last;
  }

  async #pump(): Promise<void> {
    const { log } = this.#session;
    while (this.#isBehind || this.#hasLost) {
      if (this.#hasLost) {
        this.#losses = log.losses;
        this.#jump(log.first, true);
      }
      const recent = log.recent(this.#next);
      if (recent === undefined) {
        await this.#sendStored();
        continue;
      }
      for (const entry of recent) {
        if (!this.#outlet.writable) await this.#outlet.drained();
        if (!this.#isBehind || this.#hasLost) break;
        this.#send(entry);
      }
    }
  }

  async #sendStored(): Promise<void> {
    const { log } = this.#session;
    const from = this.#next;
    for await (const entry of log.stored(from)) {
      if (!this.#outlet.writable) await this.#outlet.drained();
      if (!this.#isBehind || this.#hasLost) return;
      if (entry.n > this.#next) this.#skipTo(entry.n);
      this.#send(entry);
    }
    // What is neither on disk nor in memory is lost.
    if (this.#next === from && log.recent(from) === undefined) this.#skipTo(log.firstRecent);
  }

  /** Usually nothing is missing if a number is not the next one. */
  #skipTo(n: number): void {
    this.#jump(n, this.#session.log.isGap(this.#next, n));
  }

  #send(entry: LogEntry): void {
    if (entry.series !== this.#series) {
      this.#series = entry.series;
      this.#jump(entry.n, false);
    }
    this.#next = entry.n + 1;
    if (!this.#partial && isPassing(entry)) return;
    this.#outlet.sendEntry(this.#session.id, entry);
  }
}
