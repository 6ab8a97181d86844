import type { Verdict } from '../verdict.js';

/** What is known about one version so far. It is cached, so nothing is examined twice. */
export interface VersionRecord {
  readonly version: string;
  /** Of the program's file. */
  readonly sha256: string;
  /** The catalog names that the program contains in quotes. */
  readonly named: readonly string[];
  /**
   * The fields of `initialize` that were searched for in the program, and whether it contains their names.
   */
  readonly fields?: Readonly<Record<string, boolean>>;
  /** The flags that `--help` lists. */
  readonly listed: readonly string[];
  /** Flags that were tried, some with a value: `--permission-mode=auto`. */
  readonly taken: readonly string[];
  readonly refused: readonly string[];
  readonly runs: readonly ProbeRun[];
  /**
   * What was seen on the wire while probing: `message system/init`, `request can_use_tool`, `capability …`.
   */
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

/** The combined result of several runs for a requirement. */
export interface Settled {
  /** The majority verdict; undefined if there is none, or in a tie. */
  readonly verdict: Verdict | undefined;
  /** The observation of the last run with this verdict. */
  readonly detail: string;
  readonly runs: number;
  /** Whether runs disagree. */
  readonly flickers: boolean;
}

/** More runs do not settle a verdict that keeps changing. */
const MOST_RUNS = 5;

/** Settles the verdict on a requirement by majority. */
export function settle({ runs: all }: VersionRecord, id: string): Settled {
  const runs = countedRuns(all, id);
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

/** Whether an answer was right, but for keys that the catalog lacked. */
export function isNewKey(detail: string): boolean {
  return NEW_KEY.test(detail);
}

const NEW_KEY = /^(?:success with a value|a plain ack), but [^:]+: unknown-key/;

/** Without the runs that failed because the catalog lacked a key, once others were made with it. */
function countedRuns(runs: readonly ProbeRun[], id: string): readonly ProbeRun[] {
  const counted = runs.filter(({ details }) => !isNewKey(details[id] ?? ''));
  return counted.some(({ verdicts }) => verdicts[id] !== undefined) ? counted : runs;
}

/** Whether all requirements were probed at once. */
export function isFullyProbed({ runs }: VersionRecord): boolean {
  return runs.some(({ full }) => full);
}
