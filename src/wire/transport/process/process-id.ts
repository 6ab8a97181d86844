import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process. Ids are reused, so it also has its start time, if the system reports it. */
export interface ProcessId {
  readonly pid: number;
  /** In the ticks of a Linux system, or as `ps` says it on macOS. */
  readonly started?: string | undefined;
}

/** Returns when a process was started; undefined if the system does not report it. */
export type ReadStart = (pid: number) => string | undefined;

/** A process by its number. */
export function processId(pid: number, readStart: ReadStart = startOf): ProcessId {
  return { pid, started: readStart(pid) };
}

/** Whether a process still runs, and is not another one with its number. */
export function isSameProcess({ pid, started }: ProcessId, readStart: ReadStart = startOf): boolean {
  try {
    process.kill(pid, 0);
    return started === undefined || readStart(pid) === started;
  } catch (error) {
    // A process of another user cannot be signalled, but it runs.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process was started, by the way of the system. */
function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startInProc(pid) : startFromPs(pid);
}

function startInProc(pid: number): string | undefined {
  try {
    // The name before may hold anything, brackets and spaces too.
    const [, rest = ''] = /.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return rest.split(' ')[19];
  } catch {
    return undefined;
  }
}

/** The time that `ps` prints, to the second; undefined on Windows, which has none. */
export function startFromPs(pid: number, platform: NodeJS.Platform = process.platform): string | undefined {
  if (platform === 'win32') return undefined;
  try {
    const options = { encoding: 'utf8', timeout: 2_000, env: { LC_ALL: 'C', TZ: 'UTC' } } as const;
    return execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], options).trim() || undefined;
  } catch {
    return undefined;
  }
}
