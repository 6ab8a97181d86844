import type { Place } from '../record.js';
import type { WorkerFacts } from '../worker/worker-options.js';

/** A conversation that needs a worker. */
export interface Wanted {
  readonly session: string;
  readonly place: Place;
  /** When it started to wait, on the placer's clock. */
  readonly since: number;
  /** The requests that wait for it; none if its worker was lost and nobody needs it now. */
  readonly asked: readonly unknown[];
}

/** This much waiting counts as one step of priority, so nobody waits forever. */
const STEP_MS = 30_000;

/** Who is next: the highest priority, then those that somebody asked for, then the longest wait. */
export function inOrder<Each extends Wanted>(wanted: readonly Each[], now: number): readonly Each[] {
  const rank = ({ place, since }: Wanted) => place.priority + Math.floor((now - since) / STEP_MS);
  const isAsked = ({ asked }: Wanted) => Number(asked.length > 0);
  return [...wanted].sort(
    (one, other) => rank(other) - rank(one) || isAsked(other) - isAsked(one) || one.since - other.since,
  );
}

/** Whether a worker could ever take the conversation. */
export function suits({ labels, cliVersion = '' }: WorkerFacts, place: Place): boolean {
  const isRightCli = place.cli === undefined || `${cliVersion}.`.startsWith(`${place.cli}.`);
  return isRightCli && place.labels.every((label) => labels.includes(label));
}

/** The worker with the most free slots for a conversation, or else with the most idle CLIs; undefined if none has any. */
export function chooseWorker(workers: readonly WorkerFacts[], place: Place): WorkerFacts | undefined {
  const free = ({ slots, used }: WorkerFacts) => Math.max(0, slots - used);
  return workers
    .filter((worker) => !worker.draining && roomOf(worker) > 0 && suits(worker, place))
    .sort((one, other) => free(other) - free(one) || roomOf(other) - roomOf(one))[0];
}

/** How many more conversations a worker can have. */
export function roomOf({ slots, used, idle = 0 }: WorkerFacts): number {
  return slots - used + idle;
}

/** The disk of a worker's transcripts; a worker that does not tell shares none. */
export function diskOf({ worker, disk = worker }: WorkerFacts): string {
  return disk;
}
