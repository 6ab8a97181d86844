import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import { type Step, stepsOf, wayThrough } from './conversation-steps.js';
import { pageOf } from './page.js';
import { asSessionId } from './session-id.js';
import { openSource, type TranscriptSource } from './source.js';
import type { Page, SessionMessage, SessionPlace } from './transcript-types.js';

/** The options of {@link sessionMessages}. */
export interface SessionMessagesOptions extends SessionPlace, Page {
  /** Includes system messages, such as the boundary of a compaction. Default: false. */
  readonly includeSystemMessages?: boolean | undefined;
}

/**
 * Returns the messages of a conversation in order; none if there is no such session. Reads a transcript of any size
 * once and keeps only the messages of the page.
 */
export async function sessionMessages(
  sessionId: string,
  options: SessionMessagesOptions = {},
): Promise<SessionMessage[]> {
  const id = asSessionId(sessionId);
  const source = id === undefined ? undefined : await openSource(id, options);
  if (id === undefined || source === undefined) return [];
  await using transcript = source;
  const shows = shownTypes(options.includeSystemMessages ?? false);
  return await readMessages(transcript, {
    page: options,
    belongs: ({ isSidechain }) => !isSidechain,
    shows: ({ type, isHidden }) => shows.has(type) && !isHidden,
    facts: { sessionId: id },
  });
}

function shownTypes(withSystem: boolean): ReadonlySet<string> {
  return new Set(['user', 'assistant', ...(withSystem ? ['system'] : [])]);
}

/** Selects the messages to read. */
export interface Reading {
  readonly page: Page;
  /** Whether a step is part of this conversation at all. */
  readonly belongs: (step: Step) => boolean;
  readonly shows: (step: Step) => boolean;
  readonly facts: MessageFacts;
}

/** Fields that a message itself does not have. */
export interface MessageFacts {
  readonly sessionId: string;
  readonly toolUseId?: string | undefined;
  readonly parentAgentId?: string | undefined;
}

/** Reads a page of the messages of a transcript. */
export async function readMessages(source: TranscriptSource, reading: Reading): Promise<SessionMessage[]> {
  const { from, to } = pageOf(reading.page);
  const steps = await stepsOf(source.entries());
  for (const step of [...steps.values()]) if (!reading.belongs(step)) steps.delete(step.uuid);
  const page = wayThrough(steps).filter(reading.shows).slice(from, to);
  const messages: SessionMessage[] = [];
  for (const step of page) {
    const entry = await source.read(step);
    if (entry !== undefined) messages.push(messageOf(entry, step, reading.facts));
  }
  return messages;
}

function messageOf(entry: WireObject, { uuid, type }: Step, facts: MessageFacts): SessionMessage {
  return {
    type: type as SessionMessage['type'],
    uuid,
    session_id: typeof entry.sessionId === 'string' ? entry.sessionId : facts.sessionId,
    message: entry.message,
    parent_tool_use_id: facts.toolUseId ?? null,
    parent_agent_id: facts.parentAgentId ?? null,
    ...(typeof entry.timestamp === 'string' ? { timestamp: entry.timestamp } : {}),
    ...(entry.isCompactSummary === true ? { isCompactSummary: true } : {}),
    ...(isObject(entry.origin) ? { origin: entry.origin } : {}),
  };
}
