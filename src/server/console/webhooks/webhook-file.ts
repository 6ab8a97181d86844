import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WebhookEvent } from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { writePrivately } from '../keys/private-file.js';

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

/** The webhooks in a state folder. The file is private: it contains signing secrets. */
export class WebhookFile {
  readonly #path: string;
  #seen = '';
  #webhooks: readonly Webhook[] = [];

  constructor(folder: string) {
    this.#path = join(folder, 'webhooks.json');
  }

  /** The current webhooks; another server on the same folder may have added some. */
  get all(): readonly Webhook[] {
    const stat = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const seen = stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`;
    if (seen !== this.#seen) {
      this.#seen = seen;
      this.#webhooks = seen === '' ? [] : read(this.#path);
    }
    return this.#webhooks;
  }

  add(webhook: Pick<Webhook, 'url' | 'events' | 'conversation'>): Webhook {
    if (this.all.length >= MOST)
      throw new CoxswainError('COMMAND_INVALID', `There are ${MOST} webhooks, which is the limit.`);
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const made: Webhook = { ...webhook, id: randomUUID(), secret, createdAt: Date.now() };
    this.#write([...this.all, made]);
    return made;
  }

  /** Returns whether it existed. */
  remove(id: string): boolean {
    const kept = this.all.filter((each) => each.id !== id);
    const was = kept.length < this.all.length;
    if (was) this.#write(kept);
    return was;
  }

  #write(webhooks: readonly Webhook[]): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    writePrivately(this.#path, JSON.stringify({ webhooks }, null, 2));
  }
}

function read(path: string): readonly Webhook[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(value) && Array.isArray(value.webhooks) ? value.webhooks.filter(isWebhook) : [];
  } catch {
    return [];
  }
}

function isWebhook(value: unknown): value is Webhook {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    typeof value.url === 'string' &&
    typeof value.secret === 'string' &&
    Array.isArray(value.events)
  );
}
