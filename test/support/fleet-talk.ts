import { randomUUID } from 'node:crypto';
import type { Console } from '../../src/server/console/start-console.js';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';
import { BareClient } from './console.js';
import { isTaken, type KeptLog, keptLog, problemsIn } from './kept-log.js';

/** A client of a gateway that talks in one conversation and keeps account of what was accepted. */
export class FleetTalk {
  readonly session: string;
  readonly accepted: string[] = [];
  readonly #nats: string | readonly string[];
  readonly #clients: [BareClient, ...BareClient[]];

  constructor(client: BareClient, session: string, nats: string | readonly string[]) {
    this.#clients = [client];
    this.session = session;
    this.#nats = nats;
  }

  /** Opens a conversation by a gateway. */
  static async open(
    server: Pick<Console, 'origin' | 'token'>,
    { cwd, nats }: { readonly cwd: string; readonly nats: string | readonly string[] },
  ): Promise<FleetTalk> {
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd });
    client.attach(session);
    return new FleetTalk(client, session, nats);
  }

  /** The client that talks now. */
  get client(): BareClient {
    return this.#clients.at(-1) ?? this.#clients[0];
  }

  /** Goes on at another gateway, from the last event that it has seen. */
  async moveTo(server: Pick<Console, 'origin' | 'token'>): Promise<void> {
    const client = await BareClient.connect(server);
    client.attach(this.session, this.#seen.at(-1) ?? 0);
    this.#clients.push(client);
  }

  /** The numbers of all events that it has seen, at any gateway. */
  get #seen(): readonly number[] {
    return this.#clients.flatMap(({ numbers }) => numbers);
  }

  /** Sends a message that makes a turn of so many numbered ones; resolves when it is accepted. */
  async say(count: number, every = 5): Promise<string> {
    const id = randomUUID();
    await this.client.ask(
      'send',
      { content: `count ${count} every ${every} ${id}` },
      { session: this.session, id },
    );
    this.accepted.push(id);
    return id;
  }

  /** Sends the last message once more, with the same id, as one who has lost the answer does. */
  async sayAgain(): Promise<void> {
    const id = this.accepted.at(-1);
    if (id === undefined) return;
    await this.client.ask('send', { content: `count 1 every 1 ${id}` }, { session: this.session, id });
  }

  /** Sends one, and waits for the end of the turn. */
  async talk(count: number, every = 5): Promise<void> {
    const id = await this.say(count, every);
    await this.until(({ event }) => isEndOf(event, count, id));
  }

  /** Waits for an event, whether it has come or comes. */
  async until(wanted: (message: WireObject) => boolean): Promise<WireObject> {
    return this.client.ever((message) => message.type === 'event' && wanted(message));
  }

  /** Sends one after the other until a turn comes to its end: workers may fail meanwhile. */
  async settle(): Promise<void> {
    for (let tries = 0; tries < 10; tries += 1) {
      const id = await this.say(2);
      const ended = this.until(({ event }) => isEndOf(event, 2, id)).then(() => true);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), 20_000);
      });
      const isOver = await Promise.race([ended, late]);
      clearTimeout(timer);
      if (isOver) return;
    }
    throw new Error('no turn came to its end');
  }

  /** What is wrong with its log, once a CLI has all that was accepted: a new owner sends again what is missing. */
  async problems(): Promise<string[]> {
    let log = await keptLog(this.#nats, this.session);
    for (let tries = 0; tries < 60 && !this.accepted.every((id) => isTaken(log, id)); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      log = await keptLog(this.#nats, this.session);
    }
    return [...problemsIn(log, this.accepted), ...this.#unseen(log)];
  }

  /** What this client did not see as the log has it, from its first event to its last, at whichever gateways. */
  #unseen({ lines }: KeptLog): string[] {
    const seen = this.#seen;
    const [first = 0, last = 0] = [seen[0], seen.at(-1)];
    const disorder = seen.filter((n, at) => at > 0 && n <= (seen[at - 1] ?? 0));
    const resets = this.#clients.flatMap(({ messages }) => messages.filter(({ reset }) => reset === true));
    const missing = lines.filter(({ n }) => n >= first && n <= last && !seen.includes(n));
    return [
      ...disorder.map((n) => `the client saw ${n} late`),
      ...resets.map(({ from }) => `a gateway began again at ${from}`),
      ...missing.map(({ n }) => `the client did not see ${n}`),
    ];
  }

  /** The workers that have owned it, in order. */
  async owners(): Promise<string[]> {
    const { epochs } = await keptLog(this.#nats, this.session);
    return epochs.flatMap(({ worker }) => (typeof worker === 'string' ? [worker] : []));
  }
}

/** Whether an event is the last message of a turn. */
function isEndOf(event: unknown, count: number, id: string): boolean {
  return (
    isObject(event) &&
    JSON.stringify(event.frame ?? '').includes(`${count} of ${count}: count ${count} every`) &&
    JSON.stringify(event.frame).includes(id)
  );
}
