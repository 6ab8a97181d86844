import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CoxswainError } from '../../../wire/util/errors.js';
import { kinds, shapeOf } from '../../../wire/util/option-checks.js';
import { StoredList } from '../keys/stored-list.js';
import type { SubscriptionKeys } from './encrypt.js';

/** A browser that gets messages although no page is open. */
export interface Subscription extends SubscriptionKeys {
  readonly id: string;
  /** The browser or key that asked for it. */
  readonly device: string;
  /** Where its push service takes messages. */
  readonly endpoint: string;
  readonly createdAt: number;
}

const MOST = 100;
const MOST_PER_DEVICE = 5;

const aSubscription = shapeOf(
  {
    id: kinds.text,
    device: kinds.text,
    endpoint: kinds.text,
    p256dh: kinds.text,
    auth: kinds.text,
    createdAt: kinds.number,
  },
  { required: ['id', 'device', 'endpoint', 'p256dh', 'auth', 'createdAt'], hasOthers: true },
);

/** The subscriptions in a state folder. The file is private: whoever has its secrets can show messages. */
export class PushFile {
  readonly #list: StoredList<Subscription>;

  constructor(folder: string) {
    const path = join(folder, 'push.json');
    this.#list = new StoredList({ path, field: 'subscriptions', kind: aSubscription });
  }

  get all(): readonly Subscription[] {
    return this.#list.all;
  }

  /** What is wrong with the file, in words. */
  get problems(): readonly string[] {
    return this.#list.problems;
  }

  /** Adds one; a browser that subscribes again replaces its own. */
  add(asked: Omit<Subscription, 'id' | 'createdAt'>, now: number): Subscription {
    const others = this.all.filter(({ endpoint }) => endpoint !== asked.endpoint);
    const own = others.filter(({ device }) => device === asked.device);
    if (others.length >= MOST)
      throw new CoxswainError('COMMAND_INVALID', `${MOST} browsers get messages, which is the limit.`);
    const dropped = new Set(own.slice(0, Math.max(0, own.length - MOST_PER_DEVICE + 1)));
    const made = { ...asked, id: randomUUID(), createdAt: now };
    this.#list.write([...others.filter((each) => !dropped.has(each)), made]);
    return made;
  }

  /** Removes those that are not wanted any more. */
  keep(isWanted: (subscription: Subscription) => boolean): void {
    const kept = this.all.filter(isWanted);
    if (kept.length < this.all.length) this.#list.write(kept);
  }
}
