import { randomUUID } from 'node:crypto';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import { findTranscript, transcriptIn } from './find-transcript.js';
import { type ForkPlan, type ForkStep, planFork } from './fork-plan.js';
import { needSessionId, sessionMissing } from './session-id.js';
import { openSource, type TranscriptSource } from './source.js';
import type { TranscriptEntry } from './store.js';
import { appendInBatches, keyIn } from './store-access.js';
import type { SessionPlace } from './transcript-types.js';
import { writeTranscript } from './write-transcript.js';

/** The options of {@link forkSession}. */
export interface ForkSessionOptions extends SessionPlace {
  /** The uuid of the last message to keep. Default: all messages. */
  readonly upToMessageId?: string | undefined;
  /** The title of the fork. Default: the original title with ` (fork)` appended. */
  readonly title?: string | undefined;
}

/**
 * Copies a conversation to a new session. The new transcript appears once it is complete; the original is only read.
 * @throws OptionError for a bad id or message, CoxswainError `SESSION_MISSING` or `TRANSCRIPT_INVALID`.
 */
export async function forkSession(
  sessionId: string,
  options: ForkSessionOptions = {},
): Promise<{ sessionId: string }> {
  const id = needSessionId(sessionId);
  const opened = await openSource(id, options);
  if (opened === undefined) throw sessionMissing(id, options);
  await using source = opened;
  const plan = await planFork(source.entries(), id, options.upToMessageId);
  const fork = { from: id, to: randomUUID(), title: options.title?.trim() || `${plan.title} (fork)` };
  const entries = forkedEntries(source, plan, fork);
  if (options.sessionStore === undefined) await writeFork(entries, fork, options);
  else await appendInBatches(options.sessionStore, keyIn(options, fork.to), entries);
  return { sessionId: fork.to };
}

interface Fork {
  readonly from: string;
  readonly to: string;
  readonly title: string;
}

async function* forkedEntries(
  source: TranscriptSource,
  plan: ForkPlan,
  fork: Fork,
): AsyncGenerator<TranscriptEntry, void, undefined> {
  const ids = new Map(plan.steps.map(({ uuid }) => [uuid, randomUUID() as string]));
  for (const step of plan.steps) {
    const entry = await source.read(step);
    if (entry !== undefined) yield forked(entry, step, { plan, fork, ids });
  }
  for (const place of plan.beside) {
    const entry = await source.read(place);
    if (entry !== undefined) yield { ...entry, type: 'content-replacement', sessionId: fork.to };
  }
  yield { type: 'custom-title', customTitle: fork.title, sessionId: fork.to };
}

/** Fields that belong only to the original session. */
const LEFT_BEHIND = new Set(['teamName', 'agentName', 'slug', 'sourceToolAssistantUUID']);

function forked(
  entry: WireObject,
  step: ForkStep,
  { plan, fork, ids }: { plan: ForkPlan; fork: Fork; ids: ReadonlyMap<string, string> },
): TranscriptEntry {
  const kept = Object.entries(entry).filter(([key]) => !LEFT_BEHIND.has(key));
  const { logicalParentUuid, compactMetadata, ...rest } = Object.fromEntries(kept);
  const parent = plan.parentOf(step);
  const isBare = step.uuid === plan.bareBoundary;
  return {
    ...rest,
    type: String(entry.type),
    uuid: ids.get(step.uuid) ?? step.uuid,
    parentUuid: parent === undefined ? null : (ids.get(parent) ?? null),
    ...(typeof logicalParentUuid === 'string'
      ? { logicalParentUuid: ids.get(logicalParentUuid) ?? null }
      : {}),
    ...(compactMetadata === undefined ? {} : { compactMetadata: renamed(compactMetadata, ids, isBare) }),
    sessionId: fork.to,
    isSidechain: false,
    forkedFrom: { sessionId: fork.from, messageUuid: step.uuid },
  };
}

/** Replaces every uuid in a value with its new one; a bare boundary drops its list of kept messages. */
function renamed(value: unknown, ids: ReadonlyMap<string, string>, isBare: boolean): unknown {
  if (typeof value === 'string') return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => renamed(each, ids, isBare));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => !isBare || !key.startsWith('preserved'));
  return Object.fromEntries(entries.map(([key, each]) => [key, renamed(each, ids, isBare)]));
}

async function writeFork(
  entries: AsyncIterable<TranscriptEntry>,
  { from, to }: Fork,
  options: SessionPlace,
): Promise<void> {
  const found = await findTranscript(from, options);
  if (found === undefined) throw sessionMissing(from, options);
  await writeTranscript(transcriptIn(found.folder, to).file, entries);
}
