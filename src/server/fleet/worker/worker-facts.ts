import { hostname } from 'node:os';
import { projectsFolder } from '../../../host/transcripts/project-folders.js';
import { packageVersion } from '../../../wire/package/built-file.js';
import type { ConsoleSession } from '../../console/sessions/console-session.js';
import { folderId } from './folder-id.js';
import type { WorkerFacts, WorkerOptions } from './worker-options.js';

/** What a worker knows of itself at a moment. */
export interface WorkerState extends Pick<WorkerFacts, 'worker' | 'used' | 'draining' | 'roots'> {
  readonly sessions: readonly ConsoleSession[];
}

/** What a worker tells others. */
export function workerFacts(
  { slots = 8, labels = [], cliVersion, configDir }: WorkerOptions,
  { sessions, ...state }: WorkerState,
): WorkerFacts {
  return {
    format: 1,
    host: hostname(),
    slots,
    idle: sessions.filter(isIdle).length,
    labels,
    cliVersion,
    disk: folderId(projectsFolder({ configDir })),
    version: packageVersion(),
    ...state,
  };
}

/** Whether the CLI of a conversation may be ended to make room for another. */
function isIdle({ state, viewers, program }: ConsoleSession): boolean {
  return state === 'idle' && viewers === 0 && program.client === undefined;
}
