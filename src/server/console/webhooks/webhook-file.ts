import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { WebhookEvent } from '../../../entry/remote/contract.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { kind, kinds, listOf, shapeOf } from '../../../wire/util/option-checks.js';
import { StoredList } from '../keys/stored-list.js';

/** Where events are sent. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** Its conversation; if missing, all conversations. */
  readonly conversation?: string | undefined;
  /** The signing secret: `whsec_` and base64. */
  readonly secret: string;
  readonly createdAt: number;
}

/** Every event that can be sent. */
export const WEBHOOK_EVENTS: readonly WebhookEvent[] = [
  'needs-you',
  'turn-ended',
  'failed',
  'budget',
  'limit',
];

const MOST = 100;

const aWebhook = shapeOf(
  {
    id: kinds.text,
    url: kind('a URL', (value) => typeof value === 'string' && URL.canParse(value)),
    // Those of a newer version are never sent.
    events: listOf(kinds.text),
    conversation: kinds.text,
    secret: kind('a secret', (value) => typeof value === 'string' && value.startsWith('whsec_')),
    createdAt: kinds.number,
  },
  { required: ['id', 'url', 'events', 'secret', 'createdAt'], hasOthers: true },
);

/** The webhooks in a state folder. The file is private: it contains signing secrets. */
export class WebhookFile {
  readonly #list: StoredList<Webhook>;

  constructor(folder: string) {
    this.#list = new StoredList({ path: join(folder, 'webhooks.json'), field: 'webhooks', kind: aWebhook });
  }

  /** The current webhooks; another server on the same folder may have added some. */
  get all(): readonly Webhook[] {
    return this.#list.all;
  }

  /** What is wrong with the file, in words. */
  get problems(): readonly string[] {
    return this.#list.problems;
  }

  add(webhook: Pick<Webhook, 'url' | 'events' | 'conversation'>): Webhook {
    if (this.all.length >= MOST)
      throw new CoxswainError('COMMAND_INVALID', `There are ${MOST} webhooks, which is the limit.`);
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const made: Webhook = { ...webhook, id: randomUUID(), secret, createdAt: Date.now() };
    this.#list.write([...this.all, made]);
    return made;
  }

  /** Returns whether it existed. */
  remove(id: string): boolean {
    const kept = this.all.filter((each) => each.id !== id);
    const was = kept.length < this.all.length;
    if (was) this.#list.write(kept);
    return was;
  }
}
