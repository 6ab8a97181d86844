import type { TokenCounts, UsageRow } from '../../../src/entry/remote/contract.js';

/** The tokens of one folder on one day. */
export interface FolderUse {
  readonly cwd: string;
  readonly tokens: number;
}

/** A day's usage, by folder. */
export interface DayUse {
  readonly day: string;
  readonly folders: readonly FolderUse[];
  readonly tokens: TokenCounts;
}

/** All tokens added up. */
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

/** The last days up to a given day, including those without usage. */
export function lastDays(count: number, until: Date): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(until.getFullYear(), until.getMonth(), until.getDate() - (count - 1 - index));
    const two = (value: number) => String(value).padStart(2, '0');
    return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  });
}

/** The server's rows by day. Rows for the same day and folder, from several answers, are added up. */
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

/** Each folder's usage, highest first. */
export function foldersOf(
  rows: readonly UsageRow[],
): readonly { readonly cwd: string; readonly tokens: TokenCounts }[] {
  const folders = new Map<string, TokenCounts>();
  for (const { cwd, tokens } of rows) folders.set(cwd, addTokens(folders.get(cwd) ?? NONE, tokens));
  return [...folders]
    .map(([cwd, tokens]) => ({ cwd, tokens }))
    .toSorted((one, other) => allTokens(other.tokens) - allTokens(one.tokens));
}
