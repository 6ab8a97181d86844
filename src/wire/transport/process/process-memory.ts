import { readFileSync } from 'node:fs';
import { ownedBy, type ProcessEntry, readProcFolder } from './process-table.js';

/** What a process and all that belongs to it hold in memory; what they share is counted for each. */
export interface TreeMemory {
  readonly bytes: number;
  readonly processes: number;
}

/** Reads the memory of some children with all that belongs to them; those that are gone are left out. */
export type ReadTreeMemory = (pids: readonly number[]) => Promise<ReadonlyMap<number, TreeMemory>>;

/** Reads it from /proc, so it works only on Linux. */
export const readTreeMemory: ReadTreeMemory = (pids) => treeMemoryIn('/proc', pids);

/** Reads it from a folder like /proc; returns nothing if there is none. */
export async function treeMemoryIn(
  folder: string,
  pids: readonly number[],
): Promise<ReadonlyMap<number, TreeMemory>> {
  const table = await readProcFolder(folder).catch((): ProcessEntry[] => []);
  const running = pids.flatMap((pid) => table.filter((entry) => entry.pid === pid));
  return new Map(
    running.map(({ pid, mark }) => {
      // A host that carries a mark itself hands it on in front of the child's own.
      const owned = ownedBy({ pid, mark: mark.slice(mark.lastIndexOf('/') + 1) }, table);
      const sizes = owned.map((each) => residentOf(`${folder}/${each}/status`));
      return [pid, { bytes: sizes.reduce((sum, size) => sum + size, 0), processes: owned.length }];
    }),
  );
}

/** The resident memory of a process; none of one that is gone by now. */
function residentOf(path: string): number {
  try {
    const [, kibi = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(path, 'latin1')) ?? [];
    return Number(kibi) * 1024;
  } catch {
    return 0;
  }
}
