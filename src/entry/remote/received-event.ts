import { isObject } from '../../wire/protocol/frames.js';
import type { LogEvent } from './contract.js';

const HEAD = /^\{"type":"event","session":"([^"\\]*)","n":(\d+),"at":(\d+),"event":\{/;
const LINE = /^"kind":"line","t":[\d.]+,"from":"(host|cli)","frame":/;

/** CLIs differ in what precedes a frame's type: its ids, if anything. */
const PART =
  /^"kind":"line","t":[\d.]+,"from":"cli","frame":\{(?:"\w+":(?:"[^"]*"|null),)*"type":"stream_event"/;

/** Whether an event, as JSON without its opening brace, is a part of a message that follows as a whole. */
export function isPartOfMessage(rest: string): boolean {
  return PART.test(rest);
}

/** An entry of a session's log: an event as JSON without its opening brace. */
export interface NumberedEvent {
  readonly n: number;
  readonly at: number;
  readonly rest: string;
}

/** A received event, parsed on demand. */
export class ReceivedEvent {
  /** Its session. */
  readonly session: string;
  /** Its number. */
  readonly n: number;
  /** When the server received it, in milliseconds since 1970. */
  readonly at: number;
  /** The event as JSON, without its opening brace. */
  readonly #rest: string;

  private constructor(session: string, { n, at, rest }: NumberedEvent) {
    this.session = session;
    this.n = n;
    this.at = at;
    this.#rest = rest;
  }

  /** An entry of a session's log in this process. @internal */
  static of(session: string, entry: NumberedEvent): ReceivedEvent {
    return new ReceivedEvent(session, entry);
  }

  /** Reads a text frame of the socket; undefined if it is not an event. */
  static read(text: string): ReceivedEvent | undefined {
    const head = HEAD.exec(text);
    if (head === null) return undefined;
    const [start, session = '', n, at] = head;
    return new ReceivedEvent(session, { n: Number(n), at: Number(at), rest: text.slice(start.length, -1) });
  }

  /** The unchanged line on the wire and its sender; undefined for any other event. */
  get line(): { readonly from: 'host' | 'cli'; readonly text: string } | undefined {
    const head = LINE.exec(this.#rest);
    if (head === null) return undefined;
    return { from: head[1] === 'host' ? 'host' : 'cli', text: this.#rest.slice(head[0].length, -1) };
  }

  /** Whether it is a part of a message that follows as a whole. @internal */
  get isPart(): boolean {
    return isPartOfMessage(this.#rest);
  }

  /** The event. */
  get event(): LogEvent {
    const value: unknown = JSON.parse(`{${this.#rest}`);
    // The server is ours; readers skip kinds that are newer than this client.
    return (isObject(value) ? value : {}) as unknown as LogEvent;
  }
}
