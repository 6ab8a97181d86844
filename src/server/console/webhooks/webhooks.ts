import { join } from 'node:path';
import type { FailedDelivery, WebhookEvent, WebhookView } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { ServedSession } from '../sessions/served-session.js';
import { checkAddress } from './addresses.js';
import { AnswerKeys, type AnswerRight } from './answer-keys.js';
import { Deliveries } from './deliveries.js';
import { type Noticed, SessionWatch } from './session-watch.js';
import { WEBHOOK_EVENTS, type Webhook, WebhookFile } from './webhook-file.js';

/** The dependencies of {@link Webhooks}. */
export interface WebhookParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly now: () => number;
  /** Allowed hosts on this machine or its network. */
  readonly hosts?: readonly string[] | undefined;
  /** Where answers are sent: the server's public address. */
  readonly answerUrl: (key: string) => string;
}

/** A longer tool input is left out of a message; the prompt itself has it. */
const LONGEST_INPUT = 50_000;

/** Notifies other servers of what happens in conversations. */
export class Webhooks {
  readonly #parts: WebhookParts;
  readonly #named: ReadonlySet<string>;
  readonly #file: WebhookFile;
  readonly #deliveries: Deliveries;
  readonly #keys: AnswerKeys;
  readonly #watched = new Map<string, SessionWatch>();

  constructor(parts: WebhookParts) {
    this.#parts = parts;
    this.#named = new Set(parts.hosts?.map((host) => host.toLowerCase()));
    this.#file = new WebhookFile(parts.folder);
    this.#keys = new AnswerKeys(parts.now);
    const find = (id: string) => this.#file.all.find((each) => each.id === id);
    const { clock } = parts;
    this.#deliveries = new Deliveries({
      folder: join(parts.folder, 'webhooks'),
      clock,
      named: this.#named,
      find,
    });
  }

  /** Takes over what a dead server left. */
  resume(): void {
    this.#deliveries.resume();
  }

  /** What is wrong with what is stored, in words. */
  get problems(): readonly string[] {
    return [...this.#file.problems, ...this.#deliveries.problems];
  }

  get all(): readonly WebhookView[] {
    return this.#file.all.map(view);
  }

  /** Messages of which an attempt has failed, the latest first. */
  get failed(): readonly FailedDelivery[] {
    return this.#deliveries.failed;
  }

  /** Adds one; its secret is returned only here. @throws CoxswainError `WEBHOOK_REFUSED`. */
  add(asked: {
    readonly url: string;
    readonly events?: readonly WebhookEvent[] | undefined;
    readonly conversation?: string | undefined;
  }): WebhookView & { readonly secret: string } {
    checkAddress(asked.url, this.#named);
    const { url, events = WEBHOOK_EVENTS, conversation } = asked;
    const made = this.#file.add({ url, events, conversation });
    return { ...view(made), secret: made.secret };
  }

  remove(id: string): void {
    if (!this.#file.remove(id)) throw unknown('webhook', id);
  }

  retry(delivery: string): void {
    if (!this.#deliveries.retry(delivery)) throw unknown('failed delivery', delivery);
  }

  forget(delivery: string): void {
    if (!this.#deliveries.forget(delivery)) throw unknown('failed delivery', delivery);
  }

  /** A conversation was added or has changed. */
  changed(session: ServedSession): void {
    if (this.#watched.has(session.id) || this.#file.all.length === 0) return;
    const watch = new SessionWatch(session, {
      onNoticed: (noticed) => this.#notice(noticed),
      onPromptSettled: (prompt) => this.#keys.forget(prompt),
    });
    this.#watched.set(session.id, watch);
  }

  removed(session: string): void {
    this.#watched.get(session)?.stop();
    this.#watched.delete(session);
  }

  /** What an answer key is valid for; uses it up. */
  takeKey(key: string): AnswerRight | undefined {
    return this.#keys.take(key);
  }

  giveBackKey(key: string, right: AnswerRight): void {
    this.#keys.giveBack(key, right);
  }

  async close(): Promise<void> {
    for (const watch of this.#watched.values()) watch.stop();
    await this.#deliveries.close();
  }

  #notice(noticed: Noticed): void {
    const { id } = noticed.summary;
    const wanted = this.#file.all.filter(
      ({ events, conversation }) =>
        events.includes(noticed.event) && (conversation === undefined || conversation === id),
    );
    for (const webhook of wanted) {
      const type = `conversation.${noticed.event}`;
      const timestamp = new Date(noticed.at).toISOString();
      const body = JSON.stringify({ type, timestamp, data: this.#data(noticed, webhook) });
      this.#deliveries.add(webhook, type, body);
    }
  }

  #data({ summary, n, prompt, outcome, text, error, endsAt }: Noticed, { id: webhook }: Webhook): object {
    const { id: conversation, title, cwd, costUsd } = summary;
    const facts = { conversation, title, cwd, costUsd, n, outcome, text, error, endsAt };
    if (prompt === undefined) return facts;
    const { key, expiresAt } = this.#keys.add({ conversation, prompt: prompt.id, webhook });
    const answer = { url: this.#parts.answerUrl(key), expiresAt: new Date(expiresAt).toISOString() };
    const isLong = JSON.stringify(prompt).length > LONGEST_INPUT;
    return { ...facts, prompt: isLong ? { ...prompt, input: {}, inputLeftOut: true } : prompt, answer };
  }
}

function view({ id, url, events, conversation, createdAt }: Webhook): WebhookView {
  return { id, url, events, conversation, createdAt };
}

function unknown(what: string, id: string): CoxswainError {
  return new CoxswainError('WEBHOOK_UNKNOWN', `There is no ${what} ${JSON.stringify(id)} here.`);
}
