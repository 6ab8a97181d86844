import { type Clock, within } from '../../../wire/util/clock.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { ServedSessions } from '../../console/sessions/served-session.js';
import type { SessionListener } from '../../console/sessions/session-source.js';
import { addresses, type Engine } from '../engine/engine.js';
import { LogMemory } from '../log/log-memory.js';
import { RecordList } from '../placement/record-list.js';
import type { FleetRecord } from '../record.js';
import { FleetSession } from './fleet-session.js';

/** How long a conversation that is being opened may take to appear in the list. */
const LISTED_MS = 30_000;
/** How long NATS may take to say where a log ends. */
const ANSWERED_MS = 30_000;

/** Who {@link FleetSessions} tells. */
export interface FleetListener extends Pick<SessionListener, 'onChange' | 'onRemoved'> {
  /** Receives records that cannot be read (`FLEET_RECORD_UNREAD`). */
  readonly onDiagnostic?: OnDiagnostic | undefined;
}

/** All conversations of the fleet, for the clients of a gateway. */
export class FleetSessions implements ServedSessions {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #listener: FleetListener;
  readonly #name: string;
  readonly #records = new RecordList();
  readonly #memory = new LogMemory();
  readonly #sessions = new Map<string, FleetSession>();
  /** Why records cannot be read, by id. */
  readonly #unreadable = new Map<string, string>();
  /** Conversations that clients of this gateway are opening. */
  readonly #coming = new Map<string, Deferred<void>>();
  /** Conversations that a client has removed. */
  readonly #going = new Map<string, Deferred<void>>();

  constructor(engine: Engine, clock: Clock, listener: FleetListener) {
    this.#engine = engine;
    this.#name = engine.makeId();
    this.#clock = clock;
    this.#listener = listener;
  }

  async open(): Promise<void> {
    await this.#records.open(this.#engine, {
      onChange: (id, record) => this.#changed(id, record),
      onRemoved: (id) => this.#removed(id),
      onUnread: (id, error) => this.#unread(id, error),
    });
  }

  /** What is stored and cannot be read, in words. */
  get problems(): readonly string[] {
    return [...this.#unreadable.values()];
  }

  get all(): readonly FleetSession[] {
    return [...this.#sessions.values()].sort(
      (one, other) => other.record.summary.startedAt - one.record.summary.startedAt,
    );
  }

  /** The latest session of each conversation. */
  get byConversation(): ReadonlyMap<string | undefined, FleetSession> {
    return new Map(this.all.toReversed().map((session) => [session.record.summary.conversation, session]));
  }

  async find(id: string | undefined): Promise<FleetSession> {
    const coming = id === undefined ? undefined : this.#coming.get(id);
    if (coming !== undefined) await within(coming.promise, LISTED_MS, this.#clock);
    const session = this.known(id);
    if (session === undefined) {
      throw new CoxswainError('SESSION_UNKNOWN', `There is no session ${JSON.stringify(id ?? null)} here.`);
    }
    if (!(await within(session.log.open(), ANSWERED_MS, this.#clock)))
      throw new CoxswainError('FLEET_NOT_STARTED', 'NATS does not respond.');
    return session;
  }

  known(id: string | undefined): FleetSession | undefined {
    return id === undefined ? undefined : this.#sessions.get(id);
  }

  /** Called when a client opens a conversation: requests for it may have to wait. The returned function ends that. */
  expect(id: string): () => void {
    const coming = this.#coming.get(id) ?? deferred<void>();
    this.#coming.set(id, coming);
    return () => {
      coming.resolve();
      this.#coming.delete(id);
    };
  }

  /** Resolves when a conversation that a worker has just opened appears in the list. */
  async untilListed(id: string): Promise<void> {
    const coming = this.#coming.get(id);
    if (!this.#sessions.has(id) && coming !== undefined) await within(coming.promise, LISTED_MS, this.#clock);
  }

  /** Resolves when a removed session is no longer in the list. */
  async untilGone(id: string): Promise<void> {
    const gone = deferred<void>();
    this.#going.set(id, gone);
    if (this.#sessions.has(id)) await within(gone.promise, LISTED_MS, this.#clock);
    this.#going.delete(id);
  }

  async close(): Promise<void> {
    this.#records.close();
    for (const session of this.#sessions.values()) session.close();
    for (const coming of this.#coming.values()) coming.resolve();
  }

  #changed(id: string, record: FleetRecord): void {
    this.#unreadable.delete(id);
    let session = this.#sessions.get(id);
    if (session === undefined) {
      session = new FleetSession(id, record, {
        engine: this.#engine,
        clock: this.#clock,
        memory: this.#memory,
        gateway: this.#name,
        tell: (to, what) => this.#tell(to, what),
        onChange: (changed) => this.#listener.onChange(changed),
      });
      this.#sessions.set(id, session);
      this.#coming.get(id)?.resolve();
    } else session.update(record);
    this.#listener.onChange(session);
  }

  #unread(id: string, cause: unknown): void {
    const message = `The conversation ${id} is not listed: ${errorText(cause)} Its record is under ${id} in the bucket of conversations in NATS.`;
    this.#unreadable.set(id, message);
    this.#listener.onDiagnostic?.({ code: 'FLEET_RECORD_UNREAD', message, cause });
  }

  #removed(id: string): void {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    session?.close();
    this.#going.get(id)?.resolve();
    if (session !== undefined) this.#listener.onRemoved(session);
  }

  #tell(session: string, what: object): void {
    this.#engine.bus.publish(addresses.owner(session), JSON.stringify(what));
  }
}
