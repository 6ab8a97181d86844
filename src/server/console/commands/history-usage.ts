import type { UsageParams, UsageRow, UsageView } from '../../../entry/remote/contract.js';
import { type DatedTranscript, newestFirst } from '../../../host/transcripts/list-sessions.js';
import { fileInfo } from '../../../host/transcripts/session-info.js';
import type { SessionInfo } from '../../../host/transcripts/transcript-types.js';
import {
  dayOf,
  NONE,
  sumTokens,
  type UsedTokens,
  usageByDay,
} from '../../../host/transcripts/transcript-usage.js';

/** What is needed to read the usage. */
export interface UsagePlace {
  readonly configDir: string | undefined;
  /** Whether a conversation may be seen here. */
  readonly isOurs: (info: SessionInfo) => boolean;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** How long one answer may take; the client can ask for the rest. */
const TIME_MS = 300;
const DAY_MS = 24 * 3_600_000;
const DAYS = 30;

/** How many results to cache. */
const KEPT = 2_000;

interface Known {
  readonly stamp: string;
  readonly days: ReadonlyMap<string, UsedTokens>;
}

/** The usage of conversations on disk, by day and folder. An unchanged conversation is read once. */
export class HistoryUsage {
  readonly #known = new Map<string, Known>();

  /** Within the limits of one answer. */
  async read({ days = DAYS, after }: UsageParams, place: UsagePlace): Promise<UsageView> {
    const since = place.now() - days * DAY_MS;
    const files = (await newestFirst({ configDir: place.configDir })).filter(({ time }) => time >= since);
    const left = after === undefined ? files : files.slice(files.findIndex(isAfter(after)) + 1);
    const rows = new Map<string, UsageRow>();
    const until = place.now() + TIME_MS;
    for (const [index, file] of left.entries()) {
      await this.#add(rows, file, dayOf(new Date(since)), place);
      const isEnough = place.now() >= until || place.signal.aborted;
      if (isEnough && index < left.length - 1)
        return { rows: [...rows.values()], next: file.found.sessionId };
    }
    return { rows: [...rows.values()], next: undefined };
  }

  async #add(
    rows: Map<string, UsageRow>,
    file: DatedTranscript,
    since: string,
    place: UsagePlace,
  ): Promise<void> {
    const info = await fileInfo(file.found);
    if (info?.cwd === undefined || !place.isOurs(info)) return;
    const { cwd } = info;
    for (const [day, tokens] of await this.#daysOf(file, info, place.signal)) {
      if (day <= since) continue;
      const key = `${day} ${cwd}`;
      rows.set(key, { day, cwd, tokens: sumTokens(rows.get(key)?.tokens ?? NONE, tokens) });
    }
  }

  async #daysOf({ found, time }: DatedTranscript, { fileSize }: SessionInfo, signal: AbortSignal) {
    const stamp = `${time} ${fileSize}`;
    const known = this.#known.get(found.file);
    if (known?.stamp === stamp) return known.days;
    const days = await usageByDay(found, signal);
    if (signal.aborted) return days;
    this.#known.delete(found.file);
    this.#known.set(found.file, { stamp, days });
    const [oldest] = this.#known.keys();
    if (this.#known.size > KEPT && oldest !== undefined) this.#known.delete(oldest);
    return days;
  }
}

function isAfter(cursor: string): (file: DatedTranscript) => boolean {
  return ({ found }) => found.sessionId === cursor;
}
