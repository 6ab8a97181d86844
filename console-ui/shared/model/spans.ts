import { contentOf, isObject, objectsIn, type WireObject } from '../../../src/wire/protocol/frames.js';
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
  readonly #turns: Draft[] = [];
  readonly #tools = new Map<string, Draft>();
  readonly #exchanges = new Map<Exchange, Draft>();

  take(row: WireRow, exchange: Exchange | undefined): void {
    if (row.entry.kind === 'end') this.#endAll(row);
    const frame = frameOf(row);
    if (frame === undefined) return;
    if (exchange !== undefined) this.#takeExchange(row, exchange);
    else if (frame.type === 'user') this.#takeUser(row, frame);
    else if (frame.type === 'assistant') this.#takeToolUses(row, frame);
    else if (frame.type === 'result') this.#endTurn(row, frame);
    else if (row.label === 'system/init' && this.#turns.length === 0) this.#beginTurn(row, 'unasked turn');
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

  #takeUser(row: WireRow, frame: WireObject): void {
    if (row.from === 'host') this.#beginTurn(row, spokenIn(frame) || 'turn');
    else if (frame.isReplay !== true) this.#endTools(row, frame);
  }

  #beginTurn(row: WireRow, name: string): void {
    this.#turns.push(this.#begin('turn', name, row));
  }

  #endTurn(row: WireRow, { subtype, is_error: isError }: WireObject): void {
    const turn = this.#turns.shift();
    if (turn === undefined) return;
    const good = subtype === 'success' && isError !== true;
    finish(turn, row, good ? 'ok' : 'failed', typeof subtype === 'string' ? subtype : undefined);
  }

  #takeToolUses(row: WireRow, frame: WireObject): void {
    for (const { type, id, name } of objectsIn(contentOf(frame))) {
      if (type === 'tool_use') this.#tools.set(String(id), this.#begin('tool', String(name), row));
    }
  }

  #endTools(row: WireRow, frame: WireObject): void {
    for (const { type, tool_use_id: id, is_error: isError } of objectsIn(contentOf(frame))) {
      const tool = type === 'tool_result' ? this.#tools.get(String(id)) : undefined;
      if (tool === undefined) continue;
      this.#tools.delete(String(id));
      finish(tool, row, isError === true ? 'failed' : 'ok', isError === true ? 'error' : undefined);
    }
  }

  /** When the CLI ends, everything that is still running ends with it. */
  #endAll(row: WireRow): void {
    for (const draft of [...this.#turns, ...this.#tools.values(), ...this.#exchanges.values()]) {
      draft.end = row.t;
    }
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
