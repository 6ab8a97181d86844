import { getEventListeners } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { eventuallyEmpty } from '../support/eventually.js';

/** Possible leftovers, counted. */
export type Holdings = Readonly<Record<string, number>>;

/** Counts what this process holds: handles by kind, listeners on the process, our private folders. */
export function holdings(): Holdings {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (OWN_OF_THE_RUNNER.has(kind)) continue;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  for (const event of ['exit', 'SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection']) {
    counts[`listeners of ${event}`] = process.listenerCount(event);
  }
  return counts;
}

/** The runner's own channel and reporting come and go by themselves. */
const OWN_OF_THE_RUNNER = new Set([
  'Immediate',
  'TickObject',
  'MessagePort',
  'Pipe',
  'FSReqPromise',
  'FSReqCallback',
]);

/** Waits until nothing additional is held; fails with the difference. */
export async function nothingMoreThan(before: Holdings): Promise<void> {
  const more = () => Object.entries(holdings()).filter(([kind, count]) => count > (before[kind] ?? 0));
  await eventuallyEmpty(more);
}

/** A running process, as shown in a failure. */
export interface Carrier {
  readonly pid: number;
  readonly command: string;
}

/** The processes with this text in their environment; read here, not by the code under test. */
export function carriers(text: string): Carrier[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid) || readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ')) return [];
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(text)) return [];
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      // The keeper's argument is a script.
      return [
        {
          pid: Number(pid),
          command: words
            .map((word) => word.slice(0, 80))
            .join(' ')
            .trim(),
        },
      ];
    } catch {
      return [];
    }
  });
}

/** Kills a process; it may already be gone. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Nothing is left to kill.
  }
}

/** This signal has no listener any more. */
export function expectNoListener(signal: AbortSignal): void {
  expect(getEventListeners(signal, 'abort')).toEqual([]);
}
