import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { StoredPrompt } from '../../manager/store/record.js';
import { eventOf, type LogEntry } from '../log/entry.js';

const OF_PROMPTS = /^"kind":"prompt(?:-settled)?"/;
const OF_CALLS = /^"kind":"line",.*(?:"can_use_tool"|"control_response")/s;

/** What a log says about prompts for tool calls: which are open, and what the CLI asked. */
export class LoggedPrompts {
  /** What CLIs asked and nobody has answered, by the id of the request. */
  readonly #asked = new Map<string, WireObject>();
  readonly #open = new Map<string, WireObject>();

  note(entry: LogEntry): void {
    if (OF_PROMPTS.test(entry.rest)) this.#noteOwn(eventOf(entry));
    else if (OF_CALLS.test(entry.rest)) this.#noteLine(eventOf(entry));
  }

  /** Passes entries on, and notes them. */
  async *noting(entries: AsyncIterable<LogEntry>): AsyncGenerator<LogEntry, void, undefined> {
    for await (const entry of entries) {
      this.note(entry);
      yield entry;
    }
  }

  /** The prompts that the next CLI can get the answers to. */
  get open(): readonly StoredPrompt[] {
    return [...this.#open].flatMap(([id, view]) => {
      const body = this.#asked.get(id) ?? deferredBody(view);
      return body === undefined ? [] : [{ id, body }];
    });
  }

  #noteOwn(event: unknown): void {
    if (!isObject(event)) return;
    const { kind, prompt } = event;
    if (kind === 'prompt' && isObject(prompt)) this.#open.set(String(prompt.id), prompt);
    else if (kind === 'prompt-settled') this.#over(String(prompt));
  }

  #noteLine(event: unknown): void {
    if (!isObject(event) || !isObject(event.frame)) return;
    const { type, request_id: id, request, response } = event.frame;
    const isAsked = event.from === 'cli' && type === 'control_request' && isObject(request);
    if (isAsked && request.subtype === 'can_use_tool') this.#asked.set(String(id), request);
    if (event.from === 'host' && type === 'control_response' && isObject(response))
      this.#over(String(response.request_id));
  }

  #over(id: string): void {
    this.#open.delete(id);
    this.#asked.delete(id);
  }
}

/** A deferred call, which has the id of its tool call; nobody was asked about it on the wire. */
function deferredBody({ id, toolUseId, tool, input }: WireObject): WireObject | undefined {
  if (toolUseId !== id || typeof tool !== 'string' || !isObject(input)) return undefined;
  return { tool_name: tool, input, tool_use_id: toolUseId };
}
