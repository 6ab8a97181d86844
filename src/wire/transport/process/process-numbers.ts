import { readKernelFile } from './small-file.js';

/** A child by its process id, and what the system had started before it. */
export interface Numbered {
  readonly pid: number;
  /** How many processes and threads the system had started by then; undefined if it does not report that. */
  readonly startedBefore?: number | undefined;
}

/** How many processes and threads the system has started since boot; undefined if it does not report that. */
export function startedSoFar(folder = '/proc'): number | undefined {
  return numberIn(`${folder}/stat`, /^processes (\d+)$/m);
}

/**
 * The lowest process id that anything started by these children can have, 0 if unknown. Linux assigns ids in
 * ascending order and wraps around at the highest, so older processes have lower ids unless the ids have wrapped.
 * This avoids reading the environment of all other processes, which took longer than the rest of a short session.
 */
export function lowestNumber(children: readonly Numbered[], folder = '/proc'): number {
  const started = startedSoFar(folder);
  const running = numberIn(`${folder}/loadavg`, /\/(\d+) /);
  const highest = numberIn(`${folder}/sys/kernel/pid_max`, /^(\d+)/);
  if (started === undefined || running === undefined || highest === undefined) return 0;
  const inTurn = children.every(({ pid, startedBefore = started }) => {
    // A count that does not include the child is useless.
    const since = started - startedBefore;
    return since > 0 && pid + since + running < highest;
  });
  return inTurn ? children.reduce((lowest, { pid }) => Math.min(lowest, pid), highest) : 0;
}

/** The process id that the system assigned last; undefined if it does not report that. */
export function lastNumber(folder = '/proc'): number | undefined {
  return numberIn(`${folder}/sys/kernel/ns_last_pid`, /^(\d+)/);
}

function numberIn(path: string, pattern: RegExp): number | undefined {
  try {
    const found = pattern.exec(readKernelFile(path))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}
