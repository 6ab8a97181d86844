import type { QueuedEvent } from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { eventOf, type LogEntry } from '../log/entry.js';

const OF_MESSAGES = /^"kind":"(?:queued|unqueued|settled)"/;
const SENT = /^"kind":"line","t":[\d.]+,"from":"host","frame":\{"type":"user"/;

/** What a log says about the user messages of its session. */
export class LoggedMessages {
  /** The messages that were accepted. */
  readonly #accepted = new Map<string, QueuedEvent>();
  /** Those that a CLI received. */
  readonly #sent = new Set<string>();
  readonly #settled = new Set<string>();

  note(entry: LogEntry): void {
    if (!OF_MESSAGES.test(entry.rest) && !SENT.test(entry.rest)) return;
    const event = eventOf(entry);
    if (!isObject(event)) return;
    const { kind, uuid, frame } = event;
    if (kind === 'line' && isObject(frame)) this.#sent.add(String(frame.uuid));
    else if (kind === 'queued') this.#accepted.set(String(uuid), event as unknown as QueuedEvent);
    else this.#settled.add(String(uuid));
  }

  /** Passes entries on, and notes them. */
  async *noting(entries: AsyncIterable<LogEntry>): AsyncGenerator<LogEntry, void, undefined> {
    for await (const entry of entries) {
      this.note(entry);
      yield entry;
    }
  }

  /** Whether a message is in the log: as accepted, or only as sent, if its server was killed in between. */
  has(uuid: string): boolean {
    return this.#accepted.has(uuid) || this.#sent.has(uuid);
  }

  /** The messages that have not settled. */
  get unsettled(): readonly QueuedEvent[] {
    return [...this.#accepted.values()].filter(({ uuid }) => !this.#settled.has(uuid));
  }

  /** Those of them that no CLI has received. */
  get unsent(): readonly QueuedEvent[] {
    return this.unsettled.filter(({ uuid }) => !this.#sent.has(uuid));
  }
}

/** What some entries of a log say. */
export function loggedMessages(entries: readonly LogEntry[]): LoggedMessages {
  const messages = new LoggedMessages();
  for (const entry of entries) messages.note(entry);
  return messages;
}
