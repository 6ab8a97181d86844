import { hostname } from 'node:os';
import { packageVersion } from '../../../wire/package/built-file.js';
import type { WorkerFacts, WorkerOptions } from './worker-options.js';
import type { OwnedSession } from './worker-source.js';

/** What a worker knows of itself at a moment. */
export interface WorkerState extends Pick<WorkerFacts, 'worker' | 'used' | 'draining' | 'roots' | 'disk'> {
  readonly sessions: readonly OwnedSession[];
}

/** What a worker tells others. */
export function workerFacts(
  { slots = 8, labels = [], cliVersion }: WorkerOptions,
  { sessions, ...state }: WorkerState,
): WorkerFacts {
  return {
    format: 1,
    host: hostname(),
    slots,
    idle: sessions.filter(isIdle).length,
    labels,
    cliVersion,
    version: packageVersion(),
    ...state,
  };
}

/** Whether the CLI of a conversation may be ended to make room for another. */
function isIdle({ state, viewers, program }: OwnedSession): boolean {
  return state === 'idle' && viewers === 0 && program.client === undefined;
}
