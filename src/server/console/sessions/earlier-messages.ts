import { combine, NO_USAGE, type TurnUsage, turnTokens } from '../../../host/session/turns/usage.js';
import { contentOf, isObject, objectsIn, type WireObject } from '../../../wire/protocol/frames.js';
import { eventOf } from '../log/entry.js';
import type { EventLog } from '../log/event-log.js';

/** Reads the messages of a conversation on disk. */
export type ReadMessages = (conversation: string, cwd: string | undefined) => Promise<readonly WireObject[]>;

/** A conversation, and how to read it. */
export interface EarlierConversation {
  readonly conversation: string;
  readonly cwd: string;
  readonly readMessages: ReadMessages;
}

/**
 * Adds earlier messages to the log of a session that resumes a conversation, so every client sees them by number.
 * Returns the tokens used; the cost is not on disk.
 */
export async function addEarlierMessages(log: EventLog, from: EarlierConversation): Promise<TurnUsage> {
  const messages = await readEarlier(from);
  for (const frame of messages) addMessage(log, frame);
  const answers = messages.flatMap(({ type, message }) =>
    type === 'assistant' && isObject(message) ? [[message.id, turnTokens(message.usage)] as const] : [],
  );
  // Each block of an answer is a separate message with the usage of the whole answer.
  return [...new Map(answers).values()].reduce((sum, each) => combine(sum, each, (a, b) => a + b), NO_USAGE);
}

/**
 * Adds the messages that the conversation has and the log lacks: a CLI runs on for a moment after its server is killed,
 * and a conversation can be continued in a terminal.
 */
export async function addMissedMessages(log: EventLog, from: EarlierConversation): Promise<void> {
  const messages = await readEarlier(from);
  const missed = messages.slice((await lastKnown(log, messages)) + 1);
  if (missed.length === 0) return;
  const count = missed.length === 1 ? 'A message was' : `${missed.length} messages were`;
  log.add({
    kind: 'note',
    level: 'info',
    code: 'MESSAGES_MISSED',
    text: `${count} added outside the console:`,
  });
  for (const frame of missed) addMessage(log, frame);
}

/** The messages of a conversation on disk; none if it cannot be read. */
export async function readEarlier({
  conversation,
  cwd,
  readMessages,
}: EarlierConversation): Promise<readonly WireObject[]> {
  try {
    return await readMessages(conversation, cwd);
  } catch {
    // The CLI itself reports what is wrong with an unreadable conversation.
    return [];
  }
}

function addMessage(log: EventLog, frame: WireObject): void {
  const from = frame.type === 'user' && !objectsIn(contentOf(frame)).some(isToolResult) ? 'host' : 'cli';
  const at = Date.parse(String(frame.timestamp));
  log.add({ kind: 'line', t: 0, from, earlier: true, frame }, Number.isNaN(at) ? undefined : at);
}

/** The position of the last message that the CLI sent on the wire, or that was read before; -1 for none. */
async function lastKnown(log: EventLog, messages: readonly WireObject[]): Promise<number> {
  const places = new Map(messages.flatMap((frame, at) => keysOf(frame).map((key) => [key, at] as const)));
  let last = -1;
  for await (const entry of log.all()) {
    if (!SAID.test(entry.rest)) continue;
    const { frame } = eventOf(entry) as { readonly frame?: unknown };
    const known = isObject(frame) ? keysOf(frame).map((key) => places.get(key) ?? -1) : [];
    last = Math.max(last, ...known);
  }
  return last;
}

/** A message from the host may not have been picked up. */
const SAID =
  /^"kind":"line","t":[\d.]+,"from":(?:"cli"|"host","earlier":true).*?"type":"(?:user|assistant)"/s;

/** How to recognise a message: not every CLI uses the same `uuid` on the wire and on disk. */
function keysOf(frame: WireObject): readonly string[] {
  const { id } = isObject(frame.message) ? frame.message : {};
  const blocks = objectsIn(contentOf(frame)).flatMap(({ type, id: use, tool_use_id: result, text }) => {
    if (type === 'tool_use') return [`use ${use}`];
    if (type === 'tool_result') return [`result ${result}`];
    return type === 'text' && id !== undefined ? [`${id} ${text}`] : [];
  });
  return typeof frame.uuid === 'string' ? [frame.uuid, ...blocks] : blocks;
}

function isToolResult({ type }: WireObject): boolean {
  return type === 'tool_result';
}
