import { filledStringIn, type WireObject } from '../../wire/protocol/frames.js';
import { promptOf } from './first-prompt.js';
import type { SessionKey, StoredSummary, TranscriptEntry } from './store.js';
import type { SessionInfo } from './transcript-types.js';

/** What is remembered of the entries so far; the names are the same as in other programs' stores. */
export interface SummaryData {
  isSidechain?: boolean;
  createdAt?: number;
  cwd?: string;
  firstPrompt?: string;
  firstPromptLocked?: boolean;
  commandFallback?: string;
  gitBranch?: string;
  customTitle?: string;
  aiTitle?: string;
  lastPrompt?: string;
  summaryHint?: string;
  tag?: string;
}

/** Updates a stored summary with entries that were just appended; call it in the `append` of a store. */
export function foldSummary(
  previous: StoredSummary | undefined,
  key: SessionKey,
  entries: readonly TranscriptEntry[],
  { mtime }: { readonly mtime?: number } = {},
): StoredSummary {
  const data: SummaryData & Record<string, unknown> = { ...previous?.data };
  for (const entry of entries) foldEntry(data, entry);
  return { sessionId: key.sessionId, mtime: mtime ?? previous?.mtime ?? 0, data };
}

/** Adds one more entry. */
export function foldEntry(data: SummaryData, entry: WireObject): void {
  data.isSidechain ??= entry.isSidechain === true;
  const [time, cwd, branch] = [timeOf(entry), filledStringIn(entry.cwd), filledStringIn(entry.gitBranch)];
  if (time !== undefined) data.createdAt ??= time;
  if (cwd !== undefined) data.cwd ??= cwd;
  if (branch !== undefined) data.gitBranch = branch;
  foldPrompt(data, entry);
  foldNamed(data, entry);
}

function foldPrompt(data: SummaryData, entry: WireObject): void {
  if (data.firstPromptLocked === true) return;
  const prompt = promptOf(entry);
  if (prompt === undefined) return;
  if ('command' in prompt) {
    data.commandFallback ??= prompt.command;
    return;
  }
  data.firstPrompt = prompt.text;
  data.firstPromptLocked = true;
}

/** The entries of which the last one counts: the key they are stored under, and where their value is. */
const LAST_COUNTS = {
  'custom-title': ['customTitle', 'customTitle'],
  'ai-title': ['aiTitle', 'aiTitle'],
  'last-prompt': ['lastPrompt', 'lastPrompt'],
  summary: ['summaryHint', 'summary'],
  tag: ['tag', 'tag'],
} as const;

/** Finds the lines of such entries without parsing them. */
export const LAST_COUNTS_MARK = /"type":\s*"(?:custom-title|ai-title|last-prompt|summary|tag)"/;

function foldNamed(data: SummaryData, entry: WireObject): void {
  const { type } = entry;
  if (typeof type !== 'string' || !Object.hasOwn(LAST_COUNTS, type)) return;
  const [kept, key] = LAST_COUNTS[type as keyof typeof LAST_COUNTS];
  const value = entry[key];
  if (typeof value !== 'string') return;
  // An empty text removes the earlier value.
  if (value === '' && kept === 'tag') delete data.tag;
  else data[kept] = value;
}

/** The facts about a session from its summary; undefined for a sidechain, and if there is nothing to show. */
export function infoOf(sessionId: string, data: SummaryData, lastModified: number): SessionInfo | undefined {
  const title = data.customTitle || data.aiTitle || undefined;
  const firstPrompt = data.firstPrompt || data.commandFallback || undefined;
  const summary = title || data.lastPrompt || data.summaryHint || firstPrompt;
  if (data.isSidechain === true || summary === undefined || summary === '') return undefined;
  return {
    sessionId,
    summary,
    lastModified,
    ...(title === undefined ? {} : { customTitle: title }),
    ...(firstPrompt === undefined ? {} : { firstPrompt }),
    ...(data.gitBranch === undefined ? {} : { gitBranch: data.gitBranch }),
    ...(data.cwd === undefined ? {} : { cwd: data.cwd }),
    ...(data.tag === undefined ? {} : { tag: data.tag }),
    ...(data.createdAt === undefined ? {} : { createdAt: data.createdAt }),
  };
}

/** When an entry was made, in milliseconds since 1970. */
export function timeOf({ timestamp }: WireObject): number | undefined {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
