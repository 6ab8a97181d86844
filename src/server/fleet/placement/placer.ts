import type { Clock } from '../../../wire/util/clock.js';
import { kinds, openShape } from '../../../wire/util/option-checks.js';
import { addresses, type BusMessage, type Engine } from '../engine/engine.js';
import { sentObject } from '../engine/sent-object.js';
import { ANYWHERE, type FleetRecord, isLive, type Place, placeKind } from '../record.js';
import type { WorkerAnswer } from '../worker/worker-requests.js';
import { chooseWorker, diskOf, inOrder, suits, type Wanted } from './choose-worker.js';
import { type KnownRecord, RecordList } from './record-list.js';
import { WorkerList } from './worker-list.js';

/** A request to the placer: a worker for a conversation. */
export interface PlaceRequest {
  readonly session: string;
  readonly place?: Place | undefined;
  /** The disk that its worker should have, as long as there is one that has it. */
  readonly disk?: string | undefined;
  /** Whether a worker may have had what needs one: then a conversation that has failed since is given to no other. */
  readonly again?: boolean | undefined;
}

const requestKind = openShape(
  { session: kinds.text },
  { place: placeKind, disk: kinds.text, again: kinds.flag },
);

/** The answer; if a conversation has to wait, it comes when it has a worker. */
export type PlaceAnswer =
  | { readonly ok: true; readonly worker: string }
  | { readonly ok: false; readonly text: string };

interface Waiting extends Wanted {
  readonly asked: BusMessage[];
  /** When it was last requested; a lost conversation needs no request. */
  askedAt: number;
  isLost: boolean;
  disk?: string | undefined;
  /** Workers that cannot take it, and why. */
  readonly declined: Map<string, string>;
  /** The worker that should have it but does not. */
  hasNot?: string;
  /** A worker that may have taken it, or may still: while it lives, it is asked before all others. */
  mayHave?: string | undefined;
}

interface Offer {
  readonly asked: BusMessage[];
  /** The worker that took it. */
  worker?: string;
}

/** After this many workers in a row have died, a conversation is assigned to no other. */
const MAX_STARTS = 3;
const TAKE_MS = 20_000;
/** An owner that has it says so immediately; one that is stopped must not keep others from taking it when its lease is over. */
const OWNER_MS = 2_000;
/** How many conversations a worker takes at once: the many of one that died would wait for each other until all are late. */
const MOST_OFFERS = 16;
const MOST_ASKING = 16;
/** How often to poll, in case a message was missed. */
const LOOK_MS = 1_000;
/** How long to wait for a worker with the right labels and CLI: one may be starting. */
const UNSUITED_MS = 10_000;
/** Waiting callers ask again every few seconds; a conversation without another request is not needed. */
const FORGET_MS = 15_000;

/** Assigns conversations to workers: requested ones, and those whose worker is gone. One worker of a fleet does this. */
export class Placer {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();
  /** Conversations that are being offered to a worker, or were just now, and who wants to know. */
  readonly #underWay = new Map<string, Offer>();
  /** How many conversations are being offered to each worker. */
  readonly #offers = new Map<string, number>();
  readonly #workers = new WorkerList();
  readonly #records = new RecordList();
  /** Before this, conversations of workers that are gone stay theirs: they may be starting again. */
  readonly #mayTakeFrom: number;
  #unsubscribe: (() => void) | undefined;
  #callOff: () => void = () => {};
  #over = false;

  constructor(engine: Engine, clock: Clock, mayTakeFrom = 0) {
    this.#engine = engine;
    this.#clock = clock;
    this.#mayTakeFrom = mayTakeFrom;
  }

  async start(): Promise<void> {
    await this.#workers.open(this.#engine, () => this.#look());
    await this.#records.open(this.#engine, {
      onChange: (session) => this.#changed(session),
      onRemoved: (session) => this.#waiting.delete(session),
    });
    if (this.#over) return this.close();
    this.#unsubscribe = this.#engine.bus.subscribe(addresses.placer, (message) => this.#asked(message));
    this.#look();
    this.#lookAgain();
  }

  close(): void {
    this.#over = true;
    this.#callOff();
    this.#unsubscribe?.();
    this.#workers.close();
    this.#records.close();
  }

  #lookAgain(): void {
    this.#callOff = this.#clock.after(LOOK_MS, () => {
      this.#look();
      this.#lookAgain();
    });
  }

  #asked(message: BusMessage): void {
    const request = sentObject(message.text, requestKind) as unknown as PlaceRequest;
    const { session, place, disk, again } = request;
    const offer = this.#underWay.get(session);
    if (offer !== undefined) {
      if (offer.worker === undefined) offer.asked.push(message);
      else answer([message], { ok: true, worker: offer.worker });
      return;
    }
    const { record } = this.#records.find(session) ?? {};
    if (again === true && record?.failure !== undefined) {
      answer([message], { ok: false, text: record.failure });
      return;
    }
    const waiting = this.#want(session, record?.place ?? place ?? ANYWHERE);
    waiting.askedAt = this.#clock.now();
    waiting.disk = disk;
    waiting.asked.push(message);
    // A caller that asks again has given up on the first answer.
    if (waiting.asked.length > MOST_ASKING) waiting.asked.shift();
    this.#assignAll();
  }

  #want(session: string, place: Place): Waiting {
    const now = this.#clock.now();
    const known = this.#waiting.get(session);
    const fresh = { session, place, since: now, asked: [], askedAt: now, isLost: false, declined: new Map() };
    const waiting = known ?? fresh;
    this.#waiting.set(session, waiting);
    return waiting;
  }

  /** Finds conversations whose worker is gone, and assigns what can be assigned. */
  #look(): void {
    if (this.#over || this.#unsubscribe === undefined) return;
    for (const [session, known] of this.#records.all) this.#findLost(session, known);
    this.#assignAll();
  }

  /** Records change often: looking at all of them each time would cost most of the time. */
  #changed(session: string): void {
    const known = this.#records.find(session);
    if (this.#over || this.#unsubscribe === undefined || known === undefined) return;
    this.#findLost(session, known);
    this.#assignAll();
  }

  #assignAll(): void {
    if (this.#over) return;
    const now = this.#clock.now();
    for (const waiting of inOrder([...this.#waiting.values()], now)) {
      if (this.#isBusy) return;
      if (this.#underWay.has(waiting.session)) continue;
      if (waiting.isLost || now - waiting.askedAt < FORGET_MS) this.#assign(waiting);
      else this.#waiting.delete(waiting.session);
    }
  }

  /** Whether no worker can be offered anything now: the next answer of one leads here again. */
  get #isBusy(): boolean {
    const { all } = this.#workers;
    return all.length > 0 && all.every(({ worker }) => (this.#offers.get(worker) ?? 0) >= MOST_OFFERS);
  }

  #findLost(session: string, known: KnownRecord): void {
    if (!this.#isLost(known) || this.#underWay.has(session)) return;
    this.#want(session, known.record.place).isLost = true;
  }

  #isLost({ record }: KnownRecord): boolean {
    // A worker sends what is scheduled.
    const needsWorker = isLive(record) || record.summary.schedule !== undefined;
    return needsWorker && !this.#workers.has(record.worker) && record.failure === undefined;
  }

  #assign(waiting: Waiting): void {
    const { mayHave, session } = waiting;
    const known = this.#records.find(session);
    if (
      known !== undefined &&
      known.record.starts >= MAX_STARTS &&
      this.#isLost(known) &&
      isLive(known.record)
    ) {
      void this.#fail(session, known);
      return;
    }
    if (mayHave !== undefined && this.#workers.has(mayHave)) {
      void this.#give(waiting, mayHave, OWNER_MS);
      return;
    }
    const owner = known?.record.worker;
    // The worker has the conversation, or takes it again: a conversation is not taken from a live worker.
    if (owner !== undefined && this.#workers.has(owner) && owner !== waiting.hasNot) {
      void this.#give(waiting, owner, OWNER_MS);
      return;
    }
    if (owner !== undefined && !this.#workers.has(owner) && this.#clock.now() < this.#mayTakeFrom) return;
    const able = this.#workers.all.filter(({ worker }) => !waiting.declined.has(worker));
    const near = able.filter((each) => diskOf(each) === waiting.disk && suits(each, waiting.place));
    const chosen = chooseWorker(near.length > 0 ? near : able, waiting.place);
    if (chosen !== undefined && (this.#offers.get(chosen.worker) ?? 0) >= MOST_OFFERS) return;
    if (chosen === undefined) this.#tellHopeless(waiting);
    else {
      this.#workers.note(chosen.worker, { used: chosen.used + 1 });
      void this.#give(waiting, chosen.worker);
    }
  }

  /** A conversation that no worker could take even with free slots does not wait for one. */
  #tellHopeless(waiting: Waiting): void {
    const { declined, place, since, asked } = waiting;
    const suited = this.#workers.all.filter((worker) => suits(worker, place));
    if (suited.some(({ worker }) => !declined.has(worker))) return;
    if (suited.length === 0 && this.#clock.now() - since < UNSUITED_MS) return;
    const [why] = declined.values();
    answer(asked.splice(0), { ok: false, text: suited.length === 0 ? unsuited(place) : (why ?? '') });
    if (!waiting.isLost) this.#waiting.delete(waiting.session);
  }

  async #give(waiting: Waiting, worker: string, timeout = TAKE_MS): Promise<void> {
    const { session, place, asked, declined } = waiting;
    this.#waiting.delete(session);
    const offer: Offer = { asked };
    this.#underWay.set(session, offer);
    this.#countOffer(worker, 1);
    try {
      const request = JSON.stringify({ ask: 'take', session, place });
      const reply = await this.#engine.bus.request(addresses.worker(worker), request, timeout);
      const taken = JSON.parse(reply) as WorkerAnswer;
      waiting.mayHave = undefined;
      if (taken.ok) this.#workers.note(worker, { used: taken.used });
      if (taken.ok || (taken.why === 'owned' && taken.by === undefined)) {
        offer.worker = worker;
        answer(asked, { ok: true, worker });
      } else if (taken.why === 'failed')
        answer(asked, { ok: false, text: taken.text ?? 'A worker could not accept the conversation.' });
      else {
        if (taken.why === 'owned') waiting.mayHave = taken.by;
        else waiting.hasNot = worker;
        if (taken.why === 'unable') declined.set(worker, taken.text);
        this.#waiting.set(session, waiting);
      }
    } catch {
      // It may take it yet. Its lease decides whether it is gone: until then nobody else could take it.
      waiting.mayHave = worker;
      this.#waiting.set(session, waiting);
    } finally {
      // The record will soon say who owns it.
      this.#clock.after(LOOK_MS, () => this.#underWay.delete(session));
      this.#countOffer(worker, -1);
      this.#assignAll();
    }
  }

  #countOffer(worker: string, by: 1 | -1): void {
    const count = (this.#offers.get(worker) ?? 0) + by;
    if (count === 0) this.#offers.delete(worker);
    else this.#offers.set(worker, count);
  }

  async #fail(session: string, { record, revision }: KnownRecord): Promise<void> {
    // Whoever asks now would have it given to the next worker.
    const { asked } = this.#waiting.get(session) ?? { asked: [] };
    this.#waiting.delete(session);
    this.#underWay.set(session, { asked });
    const failure = `${record.starts} workers in a row died before finishing a turn of this conversation.`;
    const summary = { ...record.summary, state: 'ended', error: failure, prompts: [], queued: [] } as const;
    const failed: FleetRecord = { ...record, worker: undefined, failure, summary };
    try {
      await this.#engine.records.put(session, JSON.stringify(failed), { revision });
      answer(asked, { ok: false, text: failure });
    } catch {
      // Somebody else has changed the record: that one is looked at, and whoever has no answer asks again.
    }
    this.#underWay.delete(session);
  }
}

function unsuited({ labels, cli }: Place): string {
  const wanted = [
    ...labels.map((label) => `the label ${JSON.stringify(label)}`),
    ...(cli === undefined ? [] : [`the CLI ${cli}`]),
  ];
  return wanted.length === 0 ? 'There is no worker.' : `There is no worker with ${wanted.join(' and ')}.`;
}

function answer(asked: readonly BusMessage[], how: PlaceAnswer): void {
  for (const message of asked) message.respond(JSON.stringify(how));
}
