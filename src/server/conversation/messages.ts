import type { LogEvent, QueuedEvent } from '../../entry/remote/contract.js';
import type { WireObject } from '../../wire/protocol/frames.js';

/** What a log says about a message that has not settled. */
export interface LoggedMessage {
  /** The message as it was accepted; undefined if the log only shows what a CLI got. */
  readonly accepted?: QueuedEvent | undefined;
  /** How a CLI was about to get it the last time. */
  readonly handed?: Handed | undefined;
  /** Whether a CLI got it. */
  readonly sent: boolean;
  /** The id under which the last CLI got it. */
  readonly given?: string | undefined;
  /** The ids under which its turn began. */
  readonly began: readonly string[];
}

/** How a message was given to a CLI. */
interface Handed {
  /** The id under which the CLI gets it. */
  readonly as: string;
  readonly resend: boolean;
}

/** The unsettled messages of a log, by `uuid`. */
export interface MessagesView {
  readonly messages: ReadonlyMap<string, LoggedMessage>;
  /** Whether the last CLI reports what becomes of each message. */
  readonly reports: boolean;
}

/** A log without messages. */
export const NO_MESSAGES: MessagesView = { messages: new Map(), reports: false };

const OF_MESSAGES = /^"kind":"(?:queued|unqueued|settled|handed|begun|header)"/;
const SENT = /^"kind":"line","t":[\d.]+,"from":"host","frame":\{"type":"user"/;
/** CLIs differ in what precedes a frame's type: its ids, if anything. */
const SAID =
  /^"kind":"line","t":[\d.]+,"from":"cli","frame":\{(?:"\w+":(?:"[^"]*"|null),)*"type":"(?:command_lifecycle|result|assistant|system","subtype":"init)"/;

/** Whether an entry of a log may say something about messages; most do not, and need not be parsed. */
export function isAboutMessages({ rest }: { readonly rest: string }): boolean {
  return OF_MESSAGES.test(rest) || SENT.test(rest) || SAID.test(rest);
}

/** The unsettled messages after one more event. */
export function applyToMessages(view: MessagesView, event: LogEvent): MessagesView {
  switch (event.kind) {
    case 'queued':
      // Accepted again, by an owner that knew that it had not run.
      return put(view, event.uuid, { accepted: event, handed: undefined, sent: false, given: undefined });
    case 'handed':
      return put(view, event.uuid, {
        handed: { as: event.as ?? event.uuid, resend: event.resend !== false },
      });
    case 'begun':
      return began(view, view.messages.get(event.uuid)?.handed?.as ?? event.uuid);
    case 'unqueued':
    case 'settled':
      return without(view, event.uuid);
    case 'header':
      return nextCli(view);
    case 'line':
      return event.earlier === true || event.frame === undefined
        ? view
        : applyLine(view, event.from, event.frame);
    default:
      return view;
  }
}

function applyLine(view: MessagesView, from: 'host' | 'cli', frame: WireObject): MessagesView {
  const { type, subtype } = frame;
  if (from === 'host') return type === 'user' ? sent(view, String(frame.uuid)) : view;
  if (type === 'command_lifecycle') {
    const reporting = { ...view, reports: true };
    return frame.state === 'queued' ? reporting : began(reporting, String(frame.command_uuid));
  }
  if (type === 'result') {
    const { user_message_uuids: ids } = frame;
    return Array.isArray(ids) ? ids.reduce<MessagesView>((next, id) => began(next, String(id)), view) : view;
  }
  return type === 'assistant' || (type === 'system' && subtype === 'init') ? said(view) : view;
}

/** A CLI that reports nothing about single messages has one at a time, and begins with it when it says something. */
function said(view: MessagesView): MessagesView {
  if (view.reports) return view;
  const given = [...view.messages.values()].flatMap((message) => message.given ?? []);
  return given.reduce(began, view);
}

function sent(view: MessagesView, id: string): MessagesView {
  return put(view, uuidOf(view, id) ?? id, { sent: true, given: id });
}

function began(view: MessagesView, id: string): MessagesView {
  const uuid = uuidOf(view, id);
  const known = uuid === undefined ? [] : (view.messages.get(uuid)?.began ?? []);
  return uuid === undefined || known.includes(id) ? view : put(view, uuid, { began: [...known, id] });
}

/** The message that a CLI has, or had, under this id. */
function uuidOf({ messages }: MessagesView, id: string): string | undefined {
  if (messages.has(id)) return id;
  for (const [uuid, { handed }] of messages) if (handed?.as === id) return uuid;
  return undefined;
}

function put(view: MessagesView, uuid: string, change: Partial<LoggedMessage>): MessagesView {
  const messages = new Map(view.messages);
  messages.set(uuid, { sent: false, began: [], ...messages.get(uuid), ...change });
  return { ...view, messages };
}

function without(view: MessagesView, uuid: string): MessagesView {
  if (!view.messages.has(uuid)) return view;
  const messages = new Map(view.messages);
  messages.delete(uuid);
  return { ...view, messages };
}

function nextCli({ messages }: MessagesView): MessagesView {
  const left = [...messages].map(([uuid, message]) => [uuid, { ...message, given: undefined }] as const);
  return { messages: new Map(left), reports: false };
}

/** The id of the user message that a line gives to a CLI. */
export function sentId(event: LogEvent): string | undefined {
  if (event.kind !== 'line' || event.from !== 'host' || event.earlier === true) return undefined;
  return event.frame?.type === 'user' ? String(event.frame.uuid) : undefined;
}
