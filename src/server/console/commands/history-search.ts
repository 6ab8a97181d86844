import type { FoundConversation, HistoryEntry, SearchParams } from '../../../entry/remote/contract.js';
import { type DatedTranscript, newestFirst } from '../../../host/transcripts/list-sessions.js';
import { searchTranscript, searchWords } from '../../../host/transcripts/search-transcript.js';
import { fileInfo } from '../../../host/transcripts/session-info.js';
import type { SessionInfo } from '../../../host/transcripts/transcript-types.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** The dependencies of a search. */
export interface SearchPlace {
  readonly dir: string | undefined;
  readonly configDir: string | undefined;
  /** Whether a conversation may be seen here. */
  readonly isOurs: (info: SessionInfo) => boolean;
  readonly entryOf: (info: SessionInfo) => HistoryEntry;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** The limits of one answer in size and time; the client can ask for the rest. */
const CONVERSATIONS = 20;
const MESSAGES = 5;
const TIME_MS = 300;

/**
 * Searches the messages of conversations on disk, the most recently changed first, within the limits of one
 * answer.
 */
export async function searchHistory(
  { text, after }: SearchParams,
  place: SearchPlace,
): Promise<{ readonly found: readonly FoundConversation[]; readonly next: string | undefined }> {
  const words = searchWords(text);
  if (words.length === 0) throw new CoxswainError('COMMAND_INVALID', 'There is nothing to search for.');
  const files = await newestFirst({ ...place, includeWorktrees: false });
  const found: FoundConversation[] = [];
  const until = place.now() + TIME_MS;
  const left = after === undefined ? files : files.filter((file) => isBehind(file, after));
  for (const [index, file] of left.entries()) {
    const one = await searchOne(file, words, place);
    if (one !== undefined) found.push(one);
    const isEnough = found.length >= CONVERSATIONS || place.now() >= until || place.signal.aborted;
    if (isEnough && index < left.length - 1) return { found, next: cursorOf(file) };
  }
  return { found, next: undefined };
}

async function searchOne(
  { found: file }: DatedTranscript,
  words: readonly string[],
  { isOurs, entryOf, signal }: SearchPlace,
): Promise<FoundConversation | undefined> {
  const info = await fileInfo(file);
  if (info === undefined || !isOurs(info)) return undefined;
  const messages = await searchTranscript(file.file, { words, most: MESSAGES, signal });
  return messages.length === 0 ? undefined : { ...entryOf(info), messages };
}

/**
 * Files are ordered by time and name: a file that changes meanwhile moves to the front, and is not searched
 * twice.
 */
function cursorOf({ time, found }: DatedTranscript): string {
  return `${time} ${found.sessionId}`;
}

function isBehind({ time, found }: DatedTranscript, cursor: string): boolean {
  const [at = '', id = ''] = cursor.split(' ');
  return time < Number(at) || (time === Number(at) && found.sessionId > id);
}
