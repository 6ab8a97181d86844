import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { PromptView, SessionSummary } from '../../../entry/remote/contract.js';
import type { Clock } from '../../../wire/util/clock.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { plainLine } from '../../../wire/util/plain.js';
import { visible } from '../../../wire/util/unusual.js';
import type { ServedSession } from '../sessions/served-session.js';
import { checkAddress } from '../webhooks/addresses.js';
import { type Attempt, type Post, postTo } from '../webhooks/post.js';
import { SessionWatch } from '../webhooks/session-watch.js';
import { areKeys, encryptPush, type SubscriptionKeys } from './encrypt.js';
import { PushFile, type Subscription } from './push-file.js';
import { VapidKeys } from './vapid.js';

/** The dependencies of {@link Pushes}. */
export interface PushParts {
  readonly folder: string;
  readonly clock: Clock;
  readonly now: () => number;
  /** Allowed hosts on this machine or its network. */
  readonly hosts?: readonly string[] | undefined;
  /** The public address of this server. */
  readonly origin: () => string;
  /** Whether a browser or key still has access. */
  readonly isKnown: (device: string) => boolean;
  /** Sends a message once; never rejects. */
  readonly send?: typeof postTo | undefined;
}

/** How long somebody who sits at a page has to answer before others are called. */
const PATIENCE_MS = 5_000;
/** The delays before retries. A prompt that is older than this is not worth a notification. */
const WAITS_MS = [10_000, 60_000];
const TTL_S = 4 * 3_600;
const LONGEST_ENDPOINT = 2_000;

/** Tells browsers without an open page, through their push services, that a session needs somebody. */
export class Pushes {
  readonly #parts: PushParts;
  readonly #named: ReadonlySet<string>;
  readonly #file: PushFile;
  readonly #stopping = new AbortController();
  readonly #watched = new Map<string, SessionWatch>();
  /** Prompts that wait for somebody at a page, and messages for their next attempt: what cancels each. */
  readonly #waiting = new Map<string, () => void>();
  readonly #running = new Set<Promise<void>>();
  #keys: VapidKeys | undefined;

  constructor(parts: PushParts) {
    this.#parts = parts;
    this.#named = new Set(parts.hosts?.map((host) => host.toLowerCase()));
    this.#file = new PushFile(parts.folder);
  }

  /** What is wrong with what is stored, in words. */
  get problems(): readonly string[] {
    return this.#file.problems;
  }

  /** The server's public key, which a browser needs to subscribe. */
  get key(): string {
    return this.#vapid().publicKey;
  }

  /** Whether a browser gets messages at an address. */
  has(device: string, endpoint: string): boolean {
    return this.#file.all.some((each) => each.device === device && each.endpoint === endpoint);
  }

  /** Adds a browser. @throws CoxswainError `WEBHOOK_REFUSED` for an address that is not on the public internet. */
  add(device: string, { endpoint, ...keys }: SubscriptionKeys & { readonly endpoint: string }): void {
    const { protocol, hostname } = checkAddress(endpoint, this.#named);
    if (protocol !== 'https:' && !this.#named.has(hostname.toLowerCase()))
      throw new CoxswainError('WEBHOOK_REFUSED', 'The address of a push service must begin with https://.');
    if (endpoint.length > LONGEST_ENDPOINT || !areKeys(keys))
      throw new CoxswainError('COMMAND_INVALID', 'This is not a subscription of a browser.');
    const { p256dh, auth } = keys;
    this.#file.add({ device, endpoint, p256dh, auth }, this.#parts.now());
  }

  /** Removes a browser's address. */
  remove(device: string, endpoint: string): void {
    this.#file.keep((each) => each.device !== device || each.endpoint !== endpoint);
  }

  /** A conversation was added or has changed. */
  changed(session: ServedSession): void {
    if (this.#watched.has(session.id) || this.#file.all.length === 0) return;
    const watch = new SessionWatch(session, {
      onNoticed: ({ event, summary, prompt }) => {
        if (event === 'needs-you' && prompt !== undefined) this.#ask(session, summary, prompt);
      },
      onPromptSettled: (prompt) => this.#cancel(prompt),
    });
    this.#watched.set(session.id, watch);
  }

  removed(session: string): void {
    this.#watched.get(session)?.stop();
    this.#watched.delete(session);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    for (const watch of this.#watched.values()) watch.stop();
    for (const id of [...this.#waiting.keys()]) this.#cancel(id);
    await Promise.all(this.#running);
  }

  #ask(session: ServedSession, summary: SessionSummary, prompt: PromptView): void {
    this.#later(prompt.id, PATIENCE_MS, () => {
      if (!session.summary.prompts.some(({ id }) => id === prompt.id)) return;
      this.#file.keep(({ device }) => this.#parts.isKnown(device));
      const text = JSON.stringify(pushText(summary, prompt));
      for (const subscription of this.#file.all) this.#send(subscription, { text, session: summary.id }, 0);
    });
  }

  #send(
    to: Subscription,
    message: { readonly text: string; readonly session: string },
    attempt: number,
  ): void {
    const { send = postTo } = this.#parts;
    const sending = send(to.endpoint, this.#post(to, message), {
      named: this.#named,
      signal: this.#stopping.signal,
    }).then((result) => this.#settle(to, message, { attempt, result }));
    const running: Promise<void> = sending.finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  #settle(
    to: Subscription,
    message: { readonly text: string; readonly session: string },
    { attempt, result }: { readonly attempt: number; readonly result: Attempt },
  ): void {
    const { ok, status = 0 } = result;
    // The browser has unsubscribed, or was uninstalled.
    if (status === 404 || status === 410) this.#file.keep(({ id }) => id !== to.id);
    const wait = WAITS_MS[attempt];
    const isPassing = status === 0 || status === 429 || status >= 500;
    if (ok || !isPassing || result.isFinal === true || wait === undefined) return;
    this.#later(`${to.id} ${message.text}`, wait, () => this.#send(to, message, attempt + 1));
  }

  #post(
    { endpoint, p256dh, auth }: Subscription,
    { text, session }: { text: string; session: string },
  ): Post {
    const { now, origin } = this.#parts;
    const own = origin();
    const subject = own.startsWith('https:') ? own : 'mailto:coxswain@example.invalid';
    return {
      body: encryptPush(text, { p256dh, auth }),
      headers: {
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        ttl: String(TTL_S),
        urgency: 'high',
        // The service replaces what it could not deliver yet.
        topic: createHash('sha256').update(session).digest('base64url').slice(0, 32),
        authorization: this.#vapid().authorization(endpoint, { now: now(), subject }),
      },
    };
  }

  /** Made when somebody first wants messages. */
  #vapid(): VapidKeys {
    this.#keys ??= VapidKeys.in(join(this.#parts.folder, 'push-key.json'));
    return this.#keys;
  }

  #later(id: string, ms: number, run: () => void): void {
    if (this.#stopping.signal.aborted || this.#waiting.has(id)) return;
    const cancel = this.#parts.clock.after(ms, () => {
      this.#waiting.delete(id);
      run();
    });
    this.#waiting.set(id, cancel);
  }

  #cancel(id: string): void {
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
  }
}

/**
 * What a notification says. It is shown on locked screens: no titles, commands, paths or questions, which may contain
 * secrets.
 */
function pushText({ id, cwd }: SessionSummary, prompt: PromptView) {
  const folder = plainLine(visible(basename(cwd)), 40);
  return { session: id, tag: prompt.id, title: `A session in ${folder} needs you`, body: bodyOf(prompt) };
}

function bodyOf(prompt: PromptView): string {
  switch (prompt.kind) {
    case 'permission':
      return `It asks whether ${plainLine(visible(prompt.tool), 40)} may run.`;
    case 'question':
      return 'It has a question.';
    case 'plan':
      return 'It has a plan for you to approve.';
    case 'budget':
      return 'Its budget is spent.';
    default:
      return 'It needs something from you.';
  }
}
