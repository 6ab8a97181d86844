import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FailedDelivery } from '../../../entry/remote/contract.js';
import { isSameProcess, type ProcessId, processId } from '../../../wire/transport/process/process-id.js';
import type { Clock } from '../../../wire/util/clock.js';
import { kinds, openShape } from '../../../wire/util/option-checks.js';
import { writePrivately } from '../keys/private-file.js';
import { post as sendOnce } from './post.js';
import type { Webhook } from './webhook-file.js';

/** A message to deliver; one file each. */
interface Delivery extends FailedDelivery {
  /** The server that is trying to deliver it. */
  readonly owner?: ProcessId | undefined;
}

/** The dependencies of {@link Deliveries}. */
export interface DeliveryParts {
  /** Where undelivered messages are stored, both pending and failed. */
  readonly folder: string;
  readonly clock: Clock;
  readonly named: ReadonlySet<string>;
  readonly find: (webhook: string) => Webhook | undefined;
  /** Sends a message once; never rejects. */
  readonly send?: typeof sendOnce | undefined;
}

/** The delay before each retry, in seconds; about a day in total. */
const WAITS_S = [5, 30, 120, 600, 3_600, 18_000, 64_800];
/** How many are sent at once, how many may wait, and how many failed ones are kept. */
const AT_ONCE = 8;
const MOST_PENDING = 1_000;
const MOST_DEAD = 500;

/** Messages for webhooks: retried with growing delays, kept across restarts, and set aside in the end. */
export class Deliveries {
  readonly #parts: DeliveryParts;
  readonly #stopping = new AbortController();
  /** All undelivered messages of this server that it has not given up. */
  readonly #pending = new Map<string, Delivery>();
  /** Those that wait for their next attempt, and what cancels it. */
  readonly #waiting = new Map<string, () => void>();
  readonly #ready: string[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** Takes over what a dead server left. */
  resume(): void {
    for (const delivery of this.#read('pending')) {
      if (delivery.owner === undefined || !isSameProcess(delivery.owner)) this.#start(delivery);
    }
  }

  /** Which stored messages are damaged, in words. They are not sent, and stay on disk. */
  get problems(): readonly string[] {
    return (['pending', 'dead'] as const)
      .flatMap((place) => this.#stored(place))
      .filter((each) => typeof each === 'string')
      .map((path) => `${path} is left out, because it is damaged.`);
  }

  add({ id: webhook }: Webhook, type: string, body: string): void {
    const made = { id: `msg_${randomUUID()}`, webhook, type, body, createdAt: Date.now(), attempts: 0 };
    const isFull = this.#pending.size >= MOST_PENDING;
    if (isFull) this.#setAside({ ...made, error: `${MOST_PENDING} messages are already waiting.` });
    else this.#start(made);
  }

  /** Messages of which an attempt has failed, the latest first: those that are retried, and those given up. */
  get failed(): readonly FailedDelivery[] {
    const retried = [...this.#pending.values()].filter(({ attempts }) => attempts > 0);
    return [...retried, ...this.#read('dead')]
      .toSorted((one, other) => other.createdAt - one.createdAt)
      .map(({ owner: _owner, ...told }) => told);
  }

  /** Retries a failed message now; returns whether it exists. */
  retry(id: string): boolean {
    if (this.#pending.has(id)) {
      if (this.#cancelWait(id)) this.#enqueue(id);
      return true;
    }
    const delivery = this.#read('dead').find((each) => each.id === id);
    if (delivery === undefined) return false;
    rmSync(this.#path('dead', id), { force: true });
    this.#start({ ...delivery, attempts: 0 });
    return true;
  }

  /** Removes a message from the list of failed ones; it is not tried again. */
  forget(id: string): boolean {
    if (this.#pending.has(id)) {
      this.#cancelWait(id);
      this.#settle(id);
      return true;
    }
    const was = this.#read('dead').some((each) => each.id === id);
    if (was) rmSync(this.#path('dead', id), { force: true });
    return was;
  }

  /** Stops trying; undelivered messages stay for the next server. */
  async close(): Promise<void> {
    this.#stopping.abort();
    for (const id of [...this.#waiting.keys()]) this.#cancelWait(id);
    await Promise.all(this.#running);
    for (const { owner, ...left } of this.#read('pending'))
      if (owner?.pid === process.pid) this.#write('pending', left);
  }

  #start(delivery: Delivery): void {
    if (this.#stopping.signal.aborted) return;
    const owned = { ...delivery, owner: processId(process.pid) };
    this.#keep(owned);
    this.#enqueue(owned.id);
  }

  #enqueue(id: string): void {
    this.#ready.push(id);
    this.#next();
  }

  #next(): void {
    while (this.#running.size < AT_ONCE) {
      const id = this.#ready.shift();
      if (id === undefined) return;
      const delivery = this.#pending.get(id);
      if (delivery === undefined) continue;
      const running = this.#try(delivery).finally(() => {
        this.#running.delete(running);
        if (!this.#stopping.signal.aborted) this.#next();
      });
      this.#running.add(running);
    }
  }

  async #try(delivery: Delivery): Promise<void> {
    const { named, find, send = sendOnce } = this.#parts;
    const { id, body } = delivery;
    const webhook = find(delivery.webhook);
    if (webhook === undefined) {
      this.#settle(id);
      return;
    }
    const { url, secret } = webhook;
    const { ok, error, isFinal } = await send({ id, url, secret, body }, named, this.#stopping.signal);
    // An aborted attempt changes nothing.
    if (this.#stopping.signal.aborted && !ok) return;
    // It may have been removed from the list meanwhile.
    if (ok || !this.#pending.has(id)) this.#settle(id);
    else this.#again({ ...delivery, attempts: delivery.attempts + 1, error }, isFinal === true);
  }

  #again({ nextAttemptAt: _last, ...delivery }: Delivery, isFinal: boolean): void {
    const { id, attempts } = delivery;
    const seconds = isFinal ? undefined : WAITS_S[attempts - 1];
    if (seconds === undefined) {
      this.#setAside(delivery);
      return;
    }
    this.#keep({ ...delivery, nextAttemptAt: Date.now() + seconds * 1_000 });
    const cancel = this.#parts.clock.after(seconds * 1_000, () => {
      this.#waiting.delete(id);
      this.#enqueue(id);
    });
    this.#waiting.set(id, cancel);
  }

  /** Returns whether it was waiting. */
  #cancelWait(id: string): boolean {
    this.#waiting.get(id)?.();
    return this.#waiting.delete(id);
  }

  #keep(delivery: Delivery): void {
    this.#pending.set(delivery.id, delivery);
    this.#write('pending', delivery);
  }

  /** It was delivered, or is no longer wanted. */
  #settle(id: string): void {
    this.#pending.delete(id);
    this.#drop('pending', id);
  }

  #setAside(delivery: Delivery): void {
    this.#settle(delivery.id);
    this.#write('dead', delivery);
    const latestFirst = this.#read('dead').toSorted((one, other) => other.createdAt - one.createdAt);
    for (const { id } of latestFirst.slice(MOST_DEAD)) this.#drop('dead', id);
  }

  #path(place: 'pending' | 'dead', id: string): string {
    return join(this.#parts.folder, place, `${id}.json`);
  }

  #write(place: 'pending' | 'dead', delivery: Delivery): void {
    try {
      mkdirSync(join(this.#parts.folder, place), { recursive: true, mode: 0o700 });
      writePrivately(this.#path(place, delivery.id), JSON.stringify(delivery));
    } catch {
      // If the disk fails, the message does not survive a restart, but it is still sent.
    }
  }

  #drop(place: 'pending' | 'dead', id: string): void {
    try {
      rmSync(this.#path(place, id), { force: true });
    } catch {
      // If the disk fails, the next server sends or lists the message once more.
    }
  }

  #read(place: 'pending' | 'dead'): readonly Delivery[] {
    return this.#stored(place).filter((each) => typeof each === 'object');
  }

  /** What is stored in a place: messages, and the paths of damaged ones. */
  #stored(place: 'pending' | 'dead'): readonly (Delivery | string)[] {
    const folder = join(this.#parts.folder, place);
    const names = namesIn(folder).filter((name) => /^msg_[\w-]+\.json$/.test(name));
    return names.map((name) => readDelivery(folder, name) ?? join(folder, name));
  }
}

/** A folder that does not exist contains none. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const delivery = openShape(
  {
    id: kinds.text,
    webhook: kinds.text,
    type: kinds.text,
    body: kinds.anyText,
    createdAt: kinds.number,
    attempts: kinds.count,
  },
  {
    error: kinds.anyText,
    nextAttemptAt: kinds.number,
    owner: openShape({ pid: kinds.count }, { started: kinds.anyText }),
  },
);

function readDelivery(folder: string, name: string): Delivery | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const found = delivery.accepts(value) ? (value as Delivery) : undefined;
    return found !== undefined && `${found.id}.json` === name ? found : undefined;
  } catch {
    return undefined;
  }
}
