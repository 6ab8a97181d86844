import type { Verdict } from '../verdict.js';

/** What was found out about one version so far. It is kept in a cache, so that nothing is found out twice. */
export interface VersionRecord {
  readonly version: string;
  /** Of the program's file. */
  readonly sha256: string;
  /** Of the names in the catalog, those that the program has in quotes. */
  readonly named: readonly string[];
  /** The fields of `initialize` that were looked for in the program, and whether it has their names. */
  readonly fields?: Readonly<Record<string, boolean>>;
  /** The flags that `--help` lists. */
  readonly listed: readonly string[];
  /** Flags that were tried, some with a value: `--permission-mode=auto`. */
  readonly taken: readonly string[];
  readonly refused: readonly string[];
  readonly runs: readonly ProbeRun[];
  /** What was on the wire while probing: `message system/init`, `request can_use_tool`, `capability …`. */
  readonly seen: readonly string[];
}

/** One run of probes. */
export interface ProbeRun {
  /** Whether all requirements were probed. */
  readonly full: boolean;
  readonly seconds: number;
  readonly verdicts: Readonly<Record<string, Verdict>>;
  readonly details: Readonly<Record<string, string>>;
}

/** What several runs say about a requirement. */
export interface Settled {
  /** What most runs say; undefined when there is none, or as many say something else. */
  readonly verdict: Verdict | undefined;
  /** What the last run with this verdict has seen. */
  readonly detail: string;
  readonly runs: number;
  /** Whether runs disagree. */
  readonly flickers: boolean;
}

/** More runs do not settle what changes all the time. */
const MOST_RUNS = 5;

/** Settles the verdict on a requirement by majority. */
export function settle({ runs }: VersionRecord, id: string): Settled {
  const counts = new Map<Verdict, number>();
  for (const { verdicts } of runs) {
    const verdict = verdicts[id];
    if (verdict !== undefined) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  const [best, second] = [...counts].toSorted(([, one], [, other]) => other - one);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isOpen = best?.[1] === second?.[1] && total < MOST_RUNS;
  const verdict = isOpen ? undefined : best?.[0];
  const last = runs.findLast(({ verdicts }) => verdict !== undefined && verdicts[id] === verdict);
  return { verdict, detail: last?.details[id] ?? '', runs: total, flickers: counts.size > 1 };
}

/** Whether all requirements were probed at once. */
export function isFullyProbed({ runs }: VersionRecord): boolean {
  return runs.some(({ full }) => full);
}
