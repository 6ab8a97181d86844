import type { LogEvent } from '../../entry/remote/contract.js';
import { isPartOfMessage } from '../../entry/remote/received-event.js';
import { isObject } from '../../wire/protocol/frames.js';

/**
 * How much an event matters. `durable`: what is shown of a conversation, and what continues after a crash, follows from
 * these. `kept`: what was said, for readers. `passing`: parts of a message that follows as a whole.
 */
export type EventClass = 'durable' | 'kept' | 'passing';

/** The class of each kind of event. A line of partial text is `passing`. */
const eventClasses: Readonly<Record<LogEvent['kind'], Exclude<EventClass, 'passing'>>> = {
  queued: 'durable',
  handed: 'durable',
  begun: 'durable',
  unqueued: 'durable',
  settled: 'durable',
  prompt: 'durable',
  'prompt-settled': 'durable',
  state: 'durable',
  opened: 'durable',
  cli: 'durable',
  title: 'durable',
  marks: 'durable',
  settings: 'durable',
  usage: 'durable',
  budget: 'durable',
  schedule: 'durable',
  line: 'kept',
  header: 'kept',
  end: 'kept',
  note: 'kept',
  facts: 'kept',
  eof: 'kept',
  gap: 'kept',
  signal: 'kept',
  full: 'kept',
};

/** An event with its number and time. */
export interface NumberedEvent {
  readonly n: number;
  /** When it was added, in milliseconds since 1970. */
  readonly at: number;
  readonly event: LogEvent;
}

/** One entry of a session's log. */
export interface LogEntry {
  /** Its number; numbers in a log increase by one, except after a crash. */
  readonly n: number;
  /** When it was added, in milliseconds since 1970. */
  readonly at: number;
  /** The event as JSON without its opening brace: most are only appended to other prefixes, and never parsed. */
  readonly rest: string;
  /** Who numbered it: after NATS has lost something, a number may name two events. Undefined in the log of one machine. */
  readonly series?: string | undefined;
}

const KIND = /^"kind":"(?<kind>[\w-]+)"/;

/** Whether an entry is a part of a message that follows as a whole. */
export function isPassing({ rest }: LogEntry): boolean {
  return isPartOfMessage(rest);
}

/** The class of an entry, found without parsing it. A kind of a newer version is kept for its readers. */
export function classOf(entry: LogEntry): EventClass {
  if (isPassing(entry)) return 'passing';
  const kind = KIND.exec(entry.rest)?.groups?.kind;
  return kind !== undefined && isKnown(kind) ? eventClasses[kind] : 'kept';
}

/** The event of an entry; undefined if it is damaged, or of a newer version. */
export function eventIn({ n, at, rest }: LogEntry): NumberedEvent | undefined {
  try {
    const event: unknown = JSON.parse(`{${rest}`);
    // Its kind is one of ours, and only we write logs.
    return isObject(event) && isKnown(event.kind)
      ? { n, at, event: event as unknown as LogEvent }
      : undefined;
  } catch {
    // The machine stopped while it was written.
    return undefined;
  }
}

function isKnown(kind: unknown): kind is LogEvent['kind'] {
  return typeof kind === 'string' && Object.hasOwn(eventClasses, kind);
}
