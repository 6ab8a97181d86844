import { isObject } from '../../wire/protocol/frames.js';
import type { LogEvent } from './contract.js';

const HEAD = /^\{"type":"event","session":"([^"\\]*)","n":(\d+),"at":(\d+),"event":\{/;
const LINE = /^"kind":"line","t":[\d.]+,"from":"(host|cli)","frame":/;

/** A received event, parsed on demand. */
export class ReceivedEvent {
  /** Its session. */
  readonly session: string;
  /** Its number. */
  readonly n: number;
  /** When the server received it, in milliseconds since 1970. */
  readonly at: number;
  /** The event without its opening brace, and with one closing brace too many. */
  readonly #rest: string;

  private constructor(session: string, n: number, at: number, rest: string) {
    this.session = session;
    this.n = n;
    this.at = at;
    this.#rest = rest;
  }

  /** Reads a text frame of the socket; undefined if it is not an event. */
  static read(text: string): ReceivedEvent | undefined {
    const head = HEAD.exec(text);
    if (head === null) return undefined;
    return new ReceivedEvent(head[1] ?? '', Number(head[2]), Number(head[3]), text.slice(head[0].length));
  }

  /** The unchanged line on the wire and its sender; undefined for any other event. */
  get line(): { readonly from: 'host' | 'cli'; readonly text: string } | undefined {
    const head = LINE.exec(this.#rest);
    if (head === null) return undefined;
    return { from: head[1] === 'host' ? 'host' : 'cli', text: this.#rest.slice(head[0].length, -2) };
  }

  /** The event. */
  get event(): LogEvent {
    const value: unknown = JSON.parse(`{${this.#rest.slice(0, -1)}`);
    // The server is ours; readers skip kinds that are newer than this client.
    return (isObject(value) ? value : {}) as unknown as LogEvent;
  }
}
