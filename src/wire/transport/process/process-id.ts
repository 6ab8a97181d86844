import { readFileSync } from 'node:fs';

/** A process; numbers are given again, so it also says when it was started, where the system tells. */
export interface ProcessId {
  readonly pid: number;
  /** In the ticks of a Linux system. */
  readonly started?: string | undefined;
}

/** A process by its number. */
export function processId(pid: number): ProcessId {
  return { pid, started: startOf(pid) };
}

/** Whether a process still runs, and is not another one with its number. */
export function isSameProcess({ pid, started }: ProcessId): boolean {
  try {
    process.kill(pid, 0);
    return started === undefined || startOf(pid) === started;
  } catch (error) {
    // A process of another user cannot be signalled, but it runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function startOf(pid: number): string | undefined {
  try {
    // The name before may hold anything, brackets and spaces too.
    const [, rest = ''] = /.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return rest.split(' ')[19];
  } catch {
    return undefined;
  }
}
