import type { LogEvent } from '../../../entry/remote/contract.js';
import { AgUiStream } from '../../../wire/protocol/reading/ag-ui-stream.js';
import { UiMessageStream } from '../../../wire/protocol/reading/ui-message-stream.js';
import { eventOf, type LogEntry } from '../log/entry.js';

/** The protocols of front ends in which a conversation can be streamed. */
export const FRONT_ENDS = ['ai-sdk', 'ag-ui'] as const;

/** One of them. */
export type FrontEnd = (typeof FRONT_ENDS)[number];

/** The headers of a stream for a front end. */
export function headersFor(frontEnd: FrontEnd | undefined): Readonly<Record<string, string>> {
  return frontEnd === 'ai-sdk' ? { 'x-vercel-ai-ui-message-stream': 'v1' } : {};
}

/** Turns the events of a conversation into those of a front end's protocol. */
export class FrontEndEvents {
  readonly #stream: UiMessageStream | AgUiStream;
  readonly #frontEnd: FrontEnd;
  /** Whether nothing more follows: a message of the AI SDK ends with its turn. */
  isOver = false;

  constructor(frontEnd: FrontEnd, conversation: string) {
    this.#frontEnd = frontEnd;
    this.#stream = frontEnd === 'ai-sdk' ? new UiMessageStream() : new AgUiStream({ threadId: conversation });
  }

  /** The data of the server-sent events that an entry of the log becomes. */
  take(entry: LogEntry): readonly string[] {
    const parts = this.#partsOf(eventOf(entry) as LogEvent);
    this.isOver = this.#frontEnd === 'ai-sdk' && parts.at(-1)?.type === 'finish';
    return [...parts.map((part) => JSON.stringify(part)), ...(this.isOver ? ['[DONE]'] : [])];
  }

  #partsOf(event: LogEvent): readonly { readonly type: string }[] {
    if (event.kind === 'prompt') return this.#stream.custom('prompt', event.prompt.id, event.prompt);
    if (event.kind === 'end') return this.#stream.end();
    if (event.kind !== 'line' || event.from !== 'cli' || event.earlier === true) return [];
    return event.frame === undefined ? [] : this.#stream.take(event.frame);
  }
}
