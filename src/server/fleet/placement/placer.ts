import type { Msg, Subscription } from '@nats-io/transport-node';
import type { Clock } from '../../../wire/util/clock.js';
import type { Engine } from '../engine/engine.js';
import { ANYWHERE, type FleetRecord, isLive, type Place } from '../record.js';
import type { WorkerAnswer } from '../worker/fleet-worker.js';
import { chooseWorker, inOrder, type Wanted } from './choose-worker.js';
import { RecordList } from './record-list.js';
import { WorkerList } from './worker-list.js';

/** A request to the placer: a worker for a conversation. */
export interface PlaceRequest {
  readonly session: string;
  readonly place?: Place | undefined;
}

/** The answer; if a conversation has to wait, it comes when it has a worker. */
export type PlaceAnswer =
  | { readonly ok: true; readonly worker: string }
  | { readonly ok: false; readonly text: string };

interface Waiting extends Wanted {
  readonly asked: Msg[];
}

/** After this many workers in a row have died, a conversation is assigned to no other. */
const MAX_STARTS = 3;
const TAKE_MS = 20_000;
const MOST_ASKING = 16;
/** How often to poll, in case a message was missed. */
const LOOK_MS = 1_000;

/** Assigns conversations to workers: requested ones, and those whose worker is gone. One worker of a fleet does this. */
export class Placer {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();
  /** Conversations that are being offered to a worker. */
  readonly #underWay = new Set<string>();
  readonly #workers = new WorkerList();
  readonly #records = new RecordList();
  #subscription: Subscription | undefined;
  #callOff: () => void = () => {};
  #over = false;

  constructor(engine: Engine, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    const { connection, names } = this.#engine;
    await this.#workers.open(this.#engine, () => this.#look());
    await this.#records.open(this.#engine, {
      onChange: () => this.#look(),
      onRemoved: (session) => this.#waiting.delete(session),
    });
    if (this.#over) return this.close();
    this.#subscription = connection.subscribe(names.place, {
      callback: (error, message) => {
        if (error === null) this.#asked(message);
      },
    });
    this.#look();
    this.#lookAgain();
  }

  close(): void {
    this.#over = true;
    this.#callOff();
    this.#subscription?.unsubscribe();
    this.#workers.close();
    this.#records.close();
  }

  #lookAgain(): void {
    this.#callOff = this.#clock.after(LOOK_MS, () => {
      this.#look();
      this.#lookAgain();
    });
  }

  #asked(message: Msg): void {
    const { session, place } = message.json<PlaceRequest>();
    const record = this.#records.find(session)?.record;
    if (record?.worker !== undefined && this.#workers.has(record.worker)) {
      answer([message], { ok: true, worker: record.worker });
      return;
    }
    const { asked } = this.#want(session, record?.place ?? place ?? ANYWHERE);
    asked.push(message);
    // A caller that asks again has given up on the first answer.
    if (asked.length > MOST_ASKING) asked.shift();
    this.#look();
  }

  #want(session: string, place: Place): Waiting {
    const known = this.#waiting.get(session);
    const waiting = known ?? { session, place, since: this.#clock.now(), asked: [] };
    this.#waiting.set(session, waiting);
    return waiting;
  }

  /** Finds conversations whose worker is gone, and assigns what can be assigned. */
  #look(): void {
    if (this.#over || this.#subscription === undefined) return;
    for (const [session, { record, revision }] of this.#records.all) {
      const isLost = isLive(record) && !this.#workers.has(record.worker) && record.failure === undefined;
      if (!isLost || this.#underWay.has(session)) continue;
      if (record.starts >= MAX_STARTS) void this.#fail(session, record, revision);
      else this.#want(session, record.place);
    }
    for (const waiting of inOrder([...this.#waiting.values()], this.#clock.now())) {
      const worker = chooseWorker(this.#workers.all, waiting.place);
      if (worker === undefined || this.#underWay.has(waiting.session)) continue;
      this.#workers.note(worker.worker, { used: worker.used + 1 });
      void this.#give(waiting, worker.worker);
    }
  }

  async #give(waiting: Waiting, worker: string): Promise<void> {
    const { session, place, asked } = waiting;
    const { connection, names } = this.#engine;
    this.#waiting.delete(session);
    this.#underWay.add(session);
    try {
      const request = JSON.stringify({ ask: 'take', session, place });
      const reply = await connection.request(names.worker(worker), request, { timeout: TAKE_MS });
      const taken = reply.json<WorkerAnswer>();
      if (taken.ok) this.#workers.note(worker, { used: taken.used });
      if (taken.ok || taken.why === 'owned') answer(asked, { ok: true, worker });
      else if (taken.why === 'full') this.#waiting.set(session, waiting);
      else answer(asked, { ok: false, text: taken.text ?? 'A worker could not accept the conversation.' });
    } catch {
      // Its lease decides whether it is gone; until its next heartbeat, others are asked.
      this.#workers.note(worker, { used: Number.POSITIVE_INFINITY });
      this.#waiting.set(session, waiting);
    } finally {
      // The record will soon say who owns it.
      this.#clock.after(LOOK_MS, () => this.#underWay.delete(session));
    }
  }

  async #fail(session: string, record: FleetRecord, revision: number): Promise<void> {
    this.#underWay.add(session);
    const failure = `${record.starts} workers in a row died before a turn of it was over.`;
    const summary = { ...record.summary, state: 'ended', error: failure, prompts: [], queued: [] } as const;
    const failed: FleetRecord = { ...record, worker: undefined, failure, summary };
    const options = { previousSeq: revision };
    await this.#engine.sessions.put(session, JSON.stringify(failed), options).catch(() => {});
    this.#underWay.delete(session);
  }
}

function answer(asked: readonly Msg[], how: PlaceAnswer): void {
  for (const message of asked) message.respond(JSON.stringify(how));
}
