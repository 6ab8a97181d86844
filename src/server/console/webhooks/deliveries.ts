import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FailedDelivery } from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { isSameProcess, type ProcessId, processId } from '../../../wire/transport/process/process-id.js';
import type { Clock } from '../../../wire/util/clock.js';
import { writePrivately } from '../keys/private-file.js';
import { post } from './post.js';
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
  readonly #waiting = new Map<string, () => void>();
  readonly #ready: Delivery[] = [];
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

  add({ id: webhook }: Webhook, type: string, body: string): void {
    const made = { id: `msg_${randomUUID()}`, webhook, type, body, createdAt: Date.now(), attempts: 0 };
    const isFull = this.#waiting.size + this.#ready.length >= MOST_PENDING;
    if (isFull) this.#again({ ...made, error: `${MOST_PENDING} messages are already waiting.` }, true);
    else this.#start(made);
  }

  /** Failed messages, the latest first. */
  get dead(): readonly FailedDelivery[] {
    return this.#read('dead')
      .toSorted((one, other) => other.createdAt - one.createdAt)
      .map(({ owner: _owner, ...told }) => told);
  }

  /** Retries a failed message; returns whether it exists. */
  retry(id: string): boolean {
    const delivery = this.#read('dead').find((each) => each.id === id);
    if (delivery === undefined) return false;
    rmSync(this.#path('dead', id), { force: true });
    this.#start({ ...delivery, attempts: 0 });
    return true;
  }

  /** Removes a message from the list of failed ones. */
  forget(id: string): boolean {
    const was = this.#read('dead').some((each) => each.id === id);
    if (was) rmSync(this.#path('dead', id), { force: true });
    return was;
  }

  /** Stops trying; undelivered messages stay for the next server. */
  async close(): Promise<void> {
    this.#stopping.abort();
    for (const callOff of this.#waiting.values()) callOff();
    this.#waiting.clear();
    await Promise.all(this.#running);
    for (const { owner, ...left } of this.#read('pending'))
      if (owner?.pid === process.pid) this.#write('pending', left);
  }

  #start(delivery: Delivery): void {
    if (this.#stopping.signal.aborted) return;
    const owned = { ...delivery, owner: processId(process.pid) };
    this.#write('pending', owned);
    this.#ready.push(owned);
    this.#next();
  }

  #next(): void {
    while (this.#running.size < AT_ONCE) {
      const delivery = this.#ready.shift();
      if (delivery === undefined) return;
      const running = this.#try(delivery).finally(() => {
        this.#running.delete(running);
        if (!this.#stopping.signal.aborted) this.#next();
      });
      this.#running.add(running);
    }
  }

  async #try(delivery: Delivery): Promise<void> {
    const { named, find } = this.#parts;
    const webhook = find(delivery.webhook);
    if (webhook === undefined) {
      rmSync(this.#path('pending', delivery.id), { force: true });
      return;
    }
    const { id, body } = delivery;
    const { url, secret } = webhook;
    const { ok, error, isFinal } = await post({ id, url, secret, body }, named, this.#stopping.signal);
    // An aborted attempt changes nothing.
    if (this.#stopping.signal.aborted && !ok) return;
    if (ok) {
      rmSync(this.#path('pending', id), { force: true });
      return;
    }
    this.#again({ ...delivery, attempts: delivery.attempts + 1, error }, isFinal === true);
  }

  #again(delivery: Delivery, isFinal: boolean): void {
    const { id, attempts } = delivery;
    const seconds = isFinal ? undefined : WAITS_S[attempts - 1];
    if (seconds === undefined) {
      rmSync(this.#path('pending', id), { force: true });
      this.#write('dead', delivery);
      for (const { id: old } of this.dead.slice(MOST_DEAD)) this.forget(old);
      return;
    }
    this.#write('pending', delivery);
    const callOff = this.#parts.clock.after(seconds * 1_000, () => {
      this.#waiting.delete(id);
      this.#ready.push(delivery);
      this.#next();
    });
    this.#waiting.set(id, callOff);
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

  #read(place: 'pending' | 'dead'): readonly Delivery[] {
    const folder = join(this.#parts.folder, place);
    const names = namesIn(folder).filter((name) => /^msg_[\w-]+\.json$/.test(name));
    return names.flatMap((name) => readDelivery(join(folder, name)) ?? []);
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

function readDelivery(path: string): Delivery | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const isOne = isObject(value) && typeof value.id === 'string' && typeof value.body === 'string';
    return isOne ? (value as unknown as Delivery) : undefined;
  } catch {
    return undefined;
  }
}
