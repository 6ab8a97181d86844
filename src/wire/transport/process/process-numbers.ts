import { readFileSync } from 'node:fs';

/** A child by its number, and what the system had started before it. */
export interface Numbered {
  readonly pid: number;
  /** How many processes and threads the system had started by then; undefined where it does not tell. */
  readonly startedBefore?: number | undefined;
}

/** How many processes and threads the system has started since it runs; undefined where it does not tell. */
export function startedSoFar(folder = '/proc'): number | undefined {
  return numberIn(`${folder}/stat`, /^processes (\d+)$/m);
}

/**
 * The lowest number that anything started by these children can have, 0 if it can have any. Linux gives numbers in
 * turn and begins again at the highest, so what is older than a child has a lower number, unless it came that far.
 * The environment of all other processes need not be read, which took longer than all the rest of a short session.
 */
export function lowestNumber(children: readonly Numbered[], folder = '/proc'): number {
  const started = startedSoFar(folder);
  const running = numberIn(`${folder}/loadavg`, /\/(\d+) /);
  const highest = numberIn(`${folder}/sys/kernel/pid_max`, /^(\d+)/);
  if (started === undefined || running === undefined || highest === undefined) return 0;
  const inTurn = children.every(({ pid, startedBefore = started }) => {
    // A count that did not even see the child is none.
    const since = started - startedBefore;
    return since > 0 && pid + since + running < highest;
  });
  return inTurn ? children.reduce((lowest, { pid }) => Math.min(lowest, pid), highest) : 0;
}

function numberIn(path: string, pattern: RegExp): number | undefined {
  try {
    const found = pattern.exec(readFileSync(path, 'latin1'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}
