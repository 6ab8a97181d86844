import type { TokenCounts, UsageRow } from '../../../src/entry/remote/contract.js';

/** The tokens of one folder on one day. */
export interface FolderUse {
  readonly cwd: string;
  readonly tokens: number;
}

/** What was used on a day, by folder. */
export interface DayUse {
  readonly day: string;
  readonly folders: readonly FolderUse[];
  readonly tokens: TokenCounts;
}

/** All tokens together. */
export function allTokens({ input, output, cacheRead, cacheCreation }: TokenCounts): number {
  return input + output + cacheRead + cacheCreation;
}

const NONE: TokenCounts = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

function addTokens(one: TokenCounts, other: TokenCounts): TokenCounts {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheCreation: one.cacheCreation + other.cacheCreation,
  };
}

/** The last days up to a day, each of them, also those on which nothing was used. */
export function lastDays(count: number, until: Date): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(until.getFullYear(), until.getMonth(), until.getDate() - (count - 1 - index));
    const two = (value: number) => String(value).padStart(2, '0');
    return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  });
}

/** Rows of the server by day. Rows of one day and folder, of several answers, are added up. */
export function byDay(rows: readonly UsageRow[], days: readonly string[]): readonly DayUse[] {
  return days.map((day) => {
    const own = rows.filter((row) => row.day === day);
    return {
      day,
      folders: foldersOf(own).map(({ cwd, tokens }) => ({ cwd, tokens: allTokens(tokens) })),
      tokens: own.reduce((sum, { tokens }) => addTokens(sum, tokens), NONE),
    };
  });
}

/** What each folder has used, the most first. */
export function foldersOf(
  rows: readonly UsageRow[],
): readonly { readonly cwd: string; readonly tokens: TokenCounts }[] {
  const folders = new Map<string, TokenCounts>();
  for (const { cwd, tokens } of rows) folders.set(cwd, addTokens(folders.get(cwd) ?? NONE, tokens));
  return [...folders]
    .map(([cwd, tokens]) => ({ cwd, tokens }))
    .toSorted((one, other) => allTokens(other.tokens) - allTokens(one.tokens));
}
