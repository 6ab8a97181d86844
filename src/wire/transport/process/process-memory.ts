import { readFileSync } from 'node:fs';
import { ownedBy, type ProcessEntry, readProcFolder } from './process-table.js';

/** The memory of a process and everything that belongs to it; shared memory is counted for each. */
export interface TreeMemory {
  readonly bytes: number;
  readonly processes: number;
}

/** Reads the memory of some children and everything that belongs to them; exited ones are left out. */
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
      // A host that itself carries a mark puts it in front of the child's mark.
      const owned = ownedBy({ pid, mark: mark.slice(mark.lastIndexOf('/') + 1) }, table);
      const sizes = owned.map((each) => residentOf(`${folder}/${each}/status`));
      return [pid, { bytes: sizes.reduce((sum, size) => sum + size, 0), processes: owned.length }];
    }),
  );
}

/** The resident memory of a process; 0 if it has exited. */
function residentOf(path: string): number {
  try {
    const [, kibi = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(path, 'latin1')) ?? [];
    return Number(kibi) * 1024;
  } catch {
    return 0;
  }
}
