import { contentOf, isObject, objectsIn, type WireObject } from '../../../src/wire/protocol/frames.js';
import type { Item, TurnEndItem } from '../../../src/wire/protocol/reading/items.js';
import { MessageFold } from '../../../src/wire/protocol/reading/message-fold.js';
import type { Exchange } from './exchanges.js';
import { frameOf, type WireRow } from './wire-row.js';

/** The kind of a span; also its lane on the timeline. */
export type SpanKind = 'turn' | 'tool' | 'prompt' | 'callback' | 'request';

/** Something that took time. */
export interface Span {
  readonly kind: SpanKind;
  readonly name: string;
  readonly start: number;
  /** Undefined while it is running. */
  readonly end: number | undefined;
  readonly row: WireRow;
  readonly endRow: WireRow | undefined;
  readonly outcome: 'open' | 'ok' | 'failed';
  /** The result in a word: `allow`, `deny`, `success`. */
  readonly word: string | undefined;
}

type Draft = { -readonly [Key in keyof Span]: Span[Key] };

/** Finds turns, tool calls, prompts, callbacks and requests as rows arrive. */
export class SpanFinder {
  readonly spans: Span[] = [];
  readonly #fold = new MessageFold();
  readonly #turns: Draft[] = [];
  readonly #tools = new Map<string, Draft>();
  readonly #exchanges = new Map<Exchange, Draft>();

  take(row: WireRow, exchange: Exchange | undefined): void {
    if (row.entry.kind === 'end') this.#endAll(row);
    const frame = frameOf(row);
    if (frame === undefined) return;
    if (exchange !== undefined) this.#takeExchange(row, exchange);
    else if (row.from === 'host' && frame.type === 'user') this.#beginTurn(row, spokenIn(frame) || 'turn');
    else if (row.label === 'system/init' && this.#turns.length === 0) this.#beginTurn(row, 'unasked turn');
    else if (row.from === 'cli') for (const { item } of this.#fold.take(frame)) this.#takeItem(row, item);
  }

  #takeExchange(row: WireRow, exchange: Exchange): void {
    const open = this.#exchanges.get(exchange);
    if (open === undefined && exchange.question?.index === row.index) {
      this.#exchanges.set(exchange, this.#begin(kindOf(exchange), nameOf(row, exchange), row));
    } else if (open !== undefined && exchange.answer?.index === row.index) {
      this.#exchanges.delete(exchange);
      const word = wordOf(row, exchange);
      finish(open, row, exchange.how === 'success' && word !== 'deny' ? 'ok' : 'failed', word);
    }
  }

  #beginTurn(row: WireRow, name: string): void {
    this.#turns.push(this.#begin('turn', name, row));
  }

  #takeItem(row: WireRow, item: Item): void {
    if (item.kind === 'turn-end') this.#endTurn(row, item);
    if (item.kind !== 'tool' || item.state === 'writing') return;
    const known = this.#tools.get(item.id);
    if (item.state === 'running') {
      if (known === undefined) this.#tools.set(item.id, this.#begin('tool', item.name, row));
      return;
    }
    this.#tools.delete(item.id);
    if (known === undefined) return;
    const isGood = item.state === 'done';
    finish(known, row, isGood ? 'ok' : 'failed', isGood ? undefined : WORDS[item.state]);
  }

  #endTurn(row: WireRow, { failed, interrupted, result: { subtype } }: TurnEndItem): void {
    const turn = this.#turns.shift();
    if (turn === undefined) return;
    const isGood = !failed && !interrupted;
    finish(turn, row, isGood ? 'ok' : 'failed', typeof subtype === 'string' ? subtype : undefined);
  }

  /** When the CLI ends, everything that is still running ends with it. */
  #endAll(row: WireRow): void {
    for (const draft of [...this.#turns, ...this.#tools.values(), ...this.#exchanges.values()]) {
      draft.end = row.t;
    }
    this.#fold.end();
    this.#turns.length = 0;
    this.#tools.clear();
    this.#exchanges.clear();
  }

  #begin(kind: SpanKind, name: string, row: WireRow): Draft {
    const draft: Draft = {
      ...{ kind, name, row, start: row.t },
      ...{ end: undefined, endRow: undefined, outcome: 'open', word: undefined },
    };
    this.spans.push(draft);
    return draft;
  }
}

const WORDS = { failed: 'error', 'cut-off': 'cut off' } as const;

function finish(draft: Draft, row: WireRow, outcome: 'ok' | 'failed', word: string | undefined): void {
  draft.end = row.t;
  draft.endRow = row;
  draft.outcome = outcome;
  draft.word = word;
}

const CALLBACKS = new Set(['hook_callback', 'mcp_message']);

function kindOf({ asker, subtype = '' }: Exchange): SpanKind {
  if (asker === 'host') return 'request';
  return CALLBACKS.has(subtype) ? 'callback' : 'prompt';
}

function nameOf(row: WireRow, { subtype = 'request' }: Exchange): string {
  const request = frameOf(row)?.request;
  if (!isObject(request)) return subtype;
  const { tool_name: tool, input, server_name: server, message } = request;
  if (subtype === 'can_use_tool') return String(tool);
  if (subtype === 'hook_callback')
    return `hook ${String(isObject(input) ? input.hook_event_name : '')}`.trim();
  if (subtype === 'mcp_message') {
    return `${String(server)}: ${String(isObject(message) ? (message.method ?? 'answer') : '')}`;
  }
  return subtype;
}

function wordOf(row: WireRow, { how }: Exchange): string | undefined {
  if (how === 'cancelled') return 'withdrawn';
  if (how === 'refusal') return 'refused';
  const response = frameOf(row)?.response;
  const value = isObject(response) ? response.response : undefined;
  return isObject(value) && typeof value.behavior === 'string' ? value.behavior : undefined;
}

function spokenIn(frame: WireObject): string {
  const content = contentOf(frame);
  if (typeof content === 'string') return content;
  const texts = objectsIn(contentOf(frame)).map(({ text }) => (typeof text === 'string' ? text : ''));
  return texts.join(' ').trim();
}
