import type { LogEvent, SessionSummary } from '../../../entry/remote/contract.js';
import { apply } from '../../conversation/view.js';
import type { EventLog } from './event-log.js';

/** A session's log, and what a list shows of the session, which follows from the log. */
export class FoldedLog {
  readonly log: EventLog;
  readonly #now: () => number;
  #view: SessionSummary;

  /** Continues from what the events so far say. */
  constructor(log: EventLog, view: SessionSummary, now: () => number) {
    this.log = log;
    this.#view = view;
    this.#now = now;
  }

  get view(): SessionSummary {
    return this.#view;
  }

  add(event: LogEvent): void {
    const at = this.#now();
    // First the view: those who hear of the event read it.
    this.#view = apply(this.#view, { n: this.log.last + 1, at, event });
    this.log.add(event, at);
  }
}
