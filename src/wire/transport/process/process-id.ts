import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process. Ids are reused, so it also has its start time, if the system reports it. */
export interface ProcessId {
  readonly pid: number;
  /** In ticks on Linux; as `ps` prints it on macOS. */
  readonly started?: string | undefined;
}

/** Returns when a process was started; undefined if the system does not report it. */
export type ReadStart = (pid: number) => string | undefined;

/** The process with this id. */
export function processId(pid: number, readStart: ReadStart = startOf): ProcessId {
  return { pid, started: readStart(pid) };
}

/** Whether a process still runs, and its id was not reused. */
export function isSameProcess({ pid, started }: ProcessId, readStart: ReadStart = startOf): boolean {
  try {
    process.kill(pid, 0);
    return started === undefined || readStart(pid) === started;
  } catch (error) {
    // A process of another user cannot be signalled, but it is running.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Reads the start time of a process, by the method of the system. */
function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startInProc(pid) : startFromPs(pid);
}

function startInProc(pid: number): string | undefined {
  try {
    // The name before it may contain anything, including brackets and spaces.
    const [, rest = ''] = /.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return rest.split(' ')[19];
  } catch {
    return undefined;
  }
}

/** The time that `ps` prints, to the second; undefined on Windows, which has no `ps`. */
export function startFromPs(pid: number, platform: NodeJS.Platform = process.platform): string | undefined {
  if (platform === 'win32') return undefined;
  try {
    const options = { encoding: 'utf8', timeout: 2_000, env: { LC_ALL: 'C', TZ: 'UTC' } } as const;
    return execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], options).trim() || undefined;
  } catch {
    return undefined;
  }
}
