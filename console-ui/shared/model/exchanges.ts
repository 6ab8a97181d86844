import { classify } from '../../../src/wire/protocol/frames.js';
import type { Sender } from '../../../src/wire/trace/format.js';
import { frameOf, type WireRow } from './wire-row.js';

/** A control request with its answer, if it has arrived. */
export interface Exchange {
  readonly id: string;
  /** Who asked. */
  readonly asker: Sender;
  readonly subtype: string | undefined;
  /** Undefined if the request is not among the rows. */
  readonly question: WireRow | undefined;
  readonly answer: WireRow | undefined;
  readonly how: 'open' | 'success' | 'refusal' | 'cancelled';
  /** How long the answer took, in milliseconds. */
  readonly ms: number | undefined;
}

type Draft = { -readonly [Key in keyof Exchange]: Exchange[Key] };

/** Pairs requests and answers, in order of arrival. */
export class ExchangeList {
  /** The exchange of each row that belongs to one. */
  readonly byRow = new Map<number, Exchange>();
  readonly #byId = { host: new Map<string, Draft>(), cli: new Map<string, Draft>() };
  readonly #open = new Set<Draft>();

  /** How many requests are unanswered. */
  get openCount(): number {
    return this.#open.size;
  }

  take(row: WireRow): Exchange | undefined {
    if (row.entry.kind === 'header') this.#restart();
    const frame = frameOf(row);
    if (frame === undefined || row.from === undefined) return undefined;
    const sorted = classify(frame);
    if (sorted.kind === 'request') return this.#ask(row, row.from, sorted.id, sorted.body.subtype);
    if (sorted.kind === 'cancel') return this.#settle(row, row.from, sorted.id, 'cancelled');
    if (sorted.kind !== 'success' && sorted.kind !== 'refusal') return undefined;
    const asker = row.from === 'host' ? 'cli' : 'host';
    // With --replay-user-messages, CLIs repeat the host's answers to their own requests.
    const echoed = row.from === 'cli' && !this.#byId.host.has(sorted.id) && this.#byId.cli.has(sorted.id);
    return this.#settle(row, echoed ? 'cli' : asker, sorted.id, sorted.kind);
  }

  /** A new CLI knows nothing about requests to the previous one. */
  #restart(): void {
    this.#byId.host.clear();
    this.#byId.cli.clear();
    this.#open.clear();
  }

  #ask(row: WireRow, asker: Sender, id: string, subtype: string): Exchange {
    const draft: Draft = {
      ...{ id, asker, subtype, question: row },
      ...{ answer: undefined, how: 'open', ms: undefined },
    };
    this.#byId[asker].set(id, draft);
    this.#open.add(draft);
    this.byRow.set(row.index, draft);
    return draft;
  }

  #settle(row: WireRow, asker: Sender, id: string, how: 'success' | 'refusal' | 'cancelled'): Exchange {
    const draft = this.#byId[asker].get(id) ?? this.#questionless(asker, id, row.subtype);
    this.byRow.set(row.index, draft);
    // Old CLIs answer some requests twice, and a withdrawn one may still be answered: the first answer
    // counts.
    if (draft.answer !== undefined) return draft;
    draft.answer = row;
    draft.how = how;
    draft.ms = draft.question === undefined ? undefined : Math.max(0, row.t - draft.question.t);
    this.#open.delete(draft);
    return draft;
  }

  #questionless(asker: Sender, id: string, subtype: string | undefined): Draft {
    const draft: Draft = {
      ...{ id, asker, subtype, question: undefined },
      ...{ answer: undefined, how: 'open', ms: undefined },
    };
    this.#byId[asker].set(id, draft);
    return draft;
  }
}

/** The other row of an exchange, seen from one of them. */
export function partnerOf(row: WireRow, exchange: Exchange | undefined): WireRow | undefined {
  if (exchange === undefined) return undefined;
  return exchange.question?.index === row.index ? exchange.answer : exchange.question;
}
