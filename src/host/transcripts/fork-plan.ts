import type { WireObject } from '../../wire/protocol/frames.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { OptionError } from '../../wire/util/option-checks.js';
import { foldEntry, type SummaryData } from './fold-summary.js';
import type { PlacedEntry } from './source.js';

/** The position of an entry that a fork keeps. */
export interface ForkStep {
  readonly uuid: string;
  readonly parent: string | undefined;
  readonly at: number;
  readonly bytes: number;
  readonly mark: 'boundary' | 'summary' | undefined;
}

/** The entries that a fork keeps, in order. */
export interface ForkPlan {
  readonly steps: readonly ForkStep[];
  /** Entries outside of the conversation that its messages need. */
  readonly beside: readonly { readonly at: number; readonly bytes: number }[];
  /** For each entry, the nearest ancestor that the fork keeps. */
  readonly parentOf: (step: ForkStep) => string | undefined;
  /** The boundary whose kept messages are left out, because the fork ends with its summary. */
  readonly bareBoundary: string | undefined;
  /** The title of the original. */
  readonly title: string;
}

/** Scans a transcript once and decides what a fork keeps. */
export async function planFork(
  entries: AsyncIterable<PlacedEntry>,
  sessionId: string,
  upTo: string | undefined,
): Promise<ForkPlan> {
  const all: ForkStep[] = [];
  const beside: { at: number; bytes: number }[] = [];
  const dropped = new Map<string, string | undefined>();
  const data: SummaryData = {};
  for await (const { entry, at, bytes } of entries) {
    foldEntry(data, entry);
    if (entry.type === 'content-replacement') beside.push({ at, bytes });
    const step = forkStep(entry, at, bytes);
    if (step === undefined) continue;
    if (isLeftOut(entry)) dropped.set(step.uuid, step.parent);
    else all.push(step);
  }
  if (all.length === 0) {
    throw new CoxswainError('TRANSCRIPT_INVALID', `Session ${sessionId} has no messages to fork.`);
  }
  const { steps, bareBoundary } = cut(all, sessionId, upTo);
  const taken = new Set(steps.map(({ uuid }) => uuid));
  return {
    steps,
    beside,
    bareBoundary,
    parentOf: ({ parent }) => nearest(parent, taken, dropped),
    title: data.customTitle || data.aiTitle || data.firstPrompt || 'Forked session',
  };
}

function forkStep(entry: WireObject, at: number, bytes: number): ForkStep | undefined {
  const { uuid, parentUuid, subtype } = entry;
  if (typeof uuid !== 'string' || parentUuid === undefined) return undefined;
  const parent = typeof parentUuid === 'string' ? parentUuid : undefined;
  if (subtype === 'compact_boundary') return { uuid, parent, at, bytes, mark: 'boundary' };
  return { uuid, parent, at, bytes, mark: entry.isCompactSummary === true ? 'summary' : undefined };
}

/** Subagents stay with the original, and progress is useless once the tool is done. */
function isLeftOut({ isSidechain, type }: WireObject): boolean {
  return isSidechain === true || type === 'progress';
}

function cut(
  all: readonly ForkStep[],
  sessionId: string,
  upTo: string | undefined,
): Pick<ForkPlan, 'steps' | 'bareBoundary'> {
  if (upTo === undefined) return { steps: all, bareBoundary: undefined };
  const index = all.findLastIndex(({ uuid }) => uuid === upTo);
  if (index < 0) {
    throw new OptionError('upToMessageId', `Session ${sessionId} has no message ${JSON.stringify(upTo)}.`);
  }
  const boundary = all.slice(0, index + 1).findLastIndex(({ mark }) => mark === 'boundary');
  const next = all.findIndex(({ mark }, at) => at > boundary && mark !== undefined);
  // A boundary written by a rewind has no summary after it, and is copied like anything else.
  const summary = boundary >= 0 && all[next]?.mark === 'summary' ? next : -1;
  // Between a boundary and its summary there is no conversation to continue.
  if (index < summary) return { steps: all.slice(0, boundary), bareBoundary: undefined };
  const bareBoundary = index === summary ? all[boundary]?.uuid : undefined;
  return { steps: all.slice(0, index + 1), bareBoundary };
}

function nearest(
  parent: string | undefined,
  taken: ReadonlySet<string>,
  dropped: ReadonlyMap<string, string | undefined>,
): string | undefined {
  const seen = new Set<string>();
  let uuid = parent;
  while (uuid !== undefined && !taken.has(uuid) && !seen.has(uuid)) {
    seen.add(uuid);
    uuid = dropped.get(uuid);
  }
  return uuid !== undefined && taken.has(uuid) ? uuid : undefined;
}
