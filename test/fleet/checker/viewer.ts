import type { Console } from '../../../src/server/console/start-console.js';
import { isObject } from '../../../src/wire/protocol/frames.js';
import { BareClient, eventIn, isCliMessage } from '../../support/console.js';

/** Somebody who watches a conversation, at one gateway after the other, and notes the numbers of its events. */
export class Viewer {
  readonly session: string;
  readonly #clients: BareClient[] = [];

  constructor(session: string) {
    this.session = session;
  }

  /** Goes on at a gateway, after the last event that it has seen. */
  async moveTo(server: Pick<Console, 'origin' | 'token'>): Promise<void> {
    const client = await BareClient.connect(server);
    client.say({ type: 'attach', session: this.session, ...this.#position });
    this.join(client);
  }

  /** Watches by a client that somebody else uses too. */
  join(client: BareClient): void {
    this.#clients.push(client);
    void this.#attachAgain(client);
  }

  /** A conversation may be missing in a store that is an older copy, until its worker has stored it again. */
  async #attachAgain(client: BareClient): Promise<never> {
    for (;;) {
      await client.first(({ type, session }) => type === 'session-removed' && session === this.session);
      await client.first(
        ({ type, session }) => type === 'session' && isObject(session) && session.id === this.session,
      );
      client.say({ type: 'attach', session: this.session, ...this.#position });
    }
  }

  /** Where it is, as a remote client counts. */
  get #position(): object {
    const messages = this.#clients.flatMap((client) => client.messages);
    const own = messages.filter(({ session }) => session === this.session);
    const kept = own.findLast(
      (each) => each.type === 'event' && !isCliMessage('stream_event')(eventIn(each)),
    )?.n;
    const { series } = own.findLast(({ type }) => type === 'attached') ?? {};
    return { after: this.last, ...(series === undefined ? {} : { kept: kept ?? 0, series }) };
  }

  get last(): number {
    return this.#parts.at(-1)?.at(-1) ?? 0;
  }

  /** How often a gateway told it to start over. */
  get resets(): number {
    return this.#parts.length - 1;
  }

  /** What it missed, or saw twice or late: between two resets it sees every event, in order, and at last all of them. */
  problems(numbers: readonly number[]): readonly string[] {
    const gaps = this.#parts.flatMap((part) => {
      const [seen, first = 0, last = 0] = [new Set(part), part[0], part.at(-1)];
      return [
        ...part.flatMap((n, at) => (at > 0 && n <= (part[at - 1] ?? 0) ? [`saw ${n} late`] : [])),
        ...numbers.filter((n) => n >= first && n <= last && !seen.has(n)).map((n) => `did not see ${n}`),
      ];
    });
    const end = numbers.at(-1) ?? 0;
    return this.last < end ? [...gaps, `saw ${this.last}, not the end ${end}`] : gaps;
  }

  /** The numbers that it has seen; a reset begins a new part. */
  get #parts(): readonly (readonly number[])[] {
    const parts: number[][] = [[]];
    for (const { type, session, reset, n } of this.#clients.flatMap(({ messages }) => messages)) {
      if (type === 'attached' && session === this.session && reset === true) parts.push([]);
      if (type === 'event' && session === this.session) parts.at(-1)?.push(Number(n));
    }
    return parts;
  }
}
