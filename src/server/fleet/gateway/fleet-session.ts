import type { SessionSummary } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { LogEntry } from '../../console/log/entry.js';
import type { ServedSession } from '../../console/sessions/served-session.js';
import { applyEntries } from '../../conversation/view.js';
import type { Engine } from '../engine/engine.js';
import type { LogMemory } from '../log/log-memory.js';
import { LogView } from '../log/log-view.js';
import type { FleetRecord } from '../record.js';
import { VIEWERS_MS } from '../worker/gateway-viewers.js';

/** The dependencies of a {@link FleetSession}. */
export interface FleetSessionParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly memory: LogMemory;
  /** The name of this gateway, new at each start. */
  readonly gateway: string;
  /** Sends the owning worker something that needs no answer. */
  readonly tell: (session: string, what: object) => void;
  readonly onChange: (session: FleetSession) => void;
}

/** A fleet conversation, as a gateway shows it. */
export class FleetSession implements ServedSession {
  readonly id: string;
  readonly log: LogView;
  readonly #parts: FleetSessionParts;
  #record: FleetRecord;
  #viewers = 0;
  #client: string | undefined;
  #away = false;
  #callOffTelling: () => void = () => {};

  constructor(id: string, record: FleetRecord, parts: FleetSessionParts) {
    this.id = id;
    this.log = new LogView(parts.engine, id, parts);
    this.#parts = parts;
    this.#record = record;
  }

  get record(): FleetRecord {
    return this.#record;
  }

  get summary(): SessionSummary {
    const { summary, place, failure } = this.#record;
    return {
      ...summary,
      ...(failure === undefined ? {} : { failed: true }),
      priority: place.priority,
      viewers: this.#viewers,
      last: Math.max(summary.last, this.log.last),
    };
  }

  /** Continues the record with the events after it. */
  async latest(): Promise<SessionSummary> {
    const { summary } = this.#record;
    const entries: LogEntry[] = [];
    const last = await this.log.readNew(summary.last + 1, (entry) => entries.push(entry));
    return { ...applyEntries(summary, entries), last };
  }

  get program(): { readonly client: string | undefined; readonly away: boolean } {
    return { client: this.#client, away: this.#away };
  }

  update(record: FleetRecord): void {
    const isNewOwner = record.epoch !== this.#record.epoch;
    this.#record = record;
    if (isNewOwner && this.#viewers > 0) this.#tellViewers();
  }

  /** Notes that a client of this gateway opened the conversation. */
  openedBy(client: string): void {
    this.#client = client;
    this.#away = false;
  }

  ownerChanged(connected: boolean): void {
    this.#away = !connected;
    this.#parts.tell(this.id, { name: 'owner', connected });
  }

  viewersChanged(by: 1 | -1): void {
    this.#viewers += by;
    this.#tellViewers();
    this.#parts.onChange(this);
  }

  /** Repeated: the owner may change, and forgets gateways that stay silent. */
  #tellViewers(): void {
    const { tell, clock, gateway } = this.#parts;
    this.#callOffTelling();
    tell(this.id, { name: 'viewers', gateway, viewers: this.#viewers });
    if (this.#viewers > 0) this.#callOffTelling = clock.after(VIEWERS_MS / 3, () => this.#tellViewers());
  }

  close(): void {
    this.#callOffTelling();
    this.log.close();
  }
}
