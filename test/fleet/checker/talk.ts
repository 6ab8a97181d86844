import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Console } from '../../../src/server/console/start-console.js';
import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { BareClient, eventIn } from '../../support/console.js';
import { keptLog } from '../../support/kept-log.js';
import { Viewer } from './viewer.js';

const CATCH_UP_MS = 20_000;

/** What became of a message, as its sender was told. */
export interface Sent {
  readonly id: string;
  /** `accepted`, or the code of the error. `open` while there is no answer. */
  told: string;
}

/** A client that sends messages to one conversation, and watches it. */
export class Talk {
  readonly session: string;
  readonly sent: Sent[] = [];
  /** Itself, and others at another gateway. */
  readonly viewers: readonly Viewer[];
  readonly #client: BareClient;
  readonly #nats: readonly string[];
  readonly #under = new Set<Promise<void>>();

  private constructor(client: BareClient, viewers: readonly Viewer[], nats: readonly string[]) {
    const [own = new Viewer('')] = viewers;
    this.#client = client;
    this.session = own.session;
    this.viewers = viewers;
    own.join(client);
    this.#nats = nats;
  }

  static async open(
    server: Pick<Console, 'origin' | 'token'>,
    {
      cwd,
      nats,
      others,
    }: { readonly cwd: string; readonly nats: readonly string[]; readonly others: number },
  ): Promise<Talk> {
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd });
    client.attach(session);
    const viewers = Array.from({ length: 1 + others }, () => new Viewer(session));
    return new Talk(client, viewers, nats);
  }

  /** Sends a message that takes so long; it joins a turn that is running. Without a clear answer, it is sent again under its id. */
  say(ms: number): string {
    const sent: Sent = { id: randomUUID(), told: 'open' };
    this.sent.push(sent);
    const sending = this.#send(sent, ms);
    this.#under.add(sending);
    void sending.then(() => this.#under.delete(sending));
    return sent.id;
  }

  /** Waits until a CLI has reported this about a message. */
  async reported(id: string, state: 'queued' | 'started'): Promise<void> {
    await this.#client.ever((message) => {
      const { frame } = message.type === 'event' ? eventIn(message) : {};
      return isObject(frame) && frame.command_uuid === id && frame.state === state;
    });
  }

  /** Waits until every message has an answer. */
  async answered(): Promise<void> {
    await Promise.all(this.#under);
  }

  /** Whether several workers in a row died while they had it: it waits until somebody asks for it. */
  get hasFailed(): boolean {
    const isOwn = (session: unknown) => isObject(session) && session.id === this.session;
    const { session } =
      this.#client.messages.findLast((each) => each.type === 'session' && isOwn(each.session)) ?? {};
    return (
      isObject(session) && session.state === 'ended' && String(session.error).includes('workers in a row')
    );
  }

  /** The ids of messages whose end was reported, with what was said about it. */
  get settled(): ReadonlyMap<string, string> {
    const events = this.#client.events.map(eventIn).filter(({ kind }) => kind === 'settled');
    return new Map(events.map(({ uuid, outcome }) => [String(uuid), outcomeText(outcome)]));
  }

  /** The ids of messages of which a CLI said that it began with them. */
  get begun(): ReadonlySet<string> {
    const frames = this.#client.events.map(eventIn).flatMap(({ frame }) => (isObject(frame) ? [frame] : []));
    const begun = frames.filter(({ type, state }) => type === 'command_lifecycle' && state === 'started');
    return new Set(begun.map(({ command_uuid: id }) => String(id)));
  }

  /** The ids of messages that a worker was about to give to a CLI. */
  get handed(): ReadonlySet<string> {
    const events = this.#client.events.map(eventIn).filter(({ kind }) => kind === 'handed');
    return new Set(events.map(({ uuid }) => String(uuid)));
  }

  /** What the log says about a message, and how it ends, for people. */
  historyOf(id: string): string {
    const { events } = this.#client;
    const about = events.filter(({ event }) => {
      const { kind } = isObject(event) ? event : {};
      return kind === 'header' || kind === 'end' || JSON.stringify(event).includes(id);
    });
    const last = events.filter((each) => !about.includes(each)).slice(-10);
    const lines = [
      ...about.map((each) => eventText(each, id)),
      'and last:',
      ...last.map((each) => eventText(each, id)),
    ];
    return [`${id} of ${this.session}`, ...lines].join('\n  ');
  }

  /** What viewers missed or saw twice, once they had time to see everything. */
  async unseen(): Promise<readonly string[]> {
    const { lines } = await keptLog(this.#nats, this.session);
    const numbers = lines.map(({ n }) => n);
    const end = numbers.at(-1) ?? 0;
    for (const until = Date.now() + CATCH_UP_MS; this.viewers.some(({ last }) => last < end); ) {
      if (Date.now() > until) break;
      await pause(200);
    }
    return this.viewers.flatMap((viewer) => viewer.problems(numbers));
  }

  async #send(sent: Sent, ms: number): Promise<void> {
    const { id } = sent;
    const params = { content: `run ${id} ${ms}`, whileBusy: 'join' } as const;
    for (let tries = 0; tries < 20; tries += 1) {
      const done = await this.#client.command('send', params, { session: this.session, id });
      sent.told = done.ok ? 'accepted' : done.error.code;
      if (done.ok || done.error.code !== 'FLEET_UNANSWERED') return;
    }
  }
}

function eventText({ n, event }: WireObject, id: string): string {
  const { kind, from, frame, uuid, outcome, state, code, text } = isObject(event) ? event : {};
  const what = isObject(frame) ? `${from} ${frame.type} ${frame.subtype ?? frame.state ?? ''}` : '';
  const whose = uuid === id ? 'it' : (uuid ?? '');
  return [n, kind, whose, state, code, text, what, outcomeText(outcome)].filter(Boolean).join(' ');
}

function outcomeText(outcome: unknown): string {
  return isObject(outcome) ? `${outcome.kind}: ${outcome.error ?? outcome.message ?? ''}` : '';
}
