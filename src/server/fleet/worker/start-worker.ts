import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../wire/util/clock.js';
import { AuditLog } from '../../console/keys/audit-log.js';
import type { ConsoleSession } from '../../console/sessions/console-session.js';
import { ownSessions } from '../../console/sessions/own-sessions.js';
import { stateFolder } from '../../console/state-folder.js';
import { Webhooks } from '../../console/webhooks/webhooks.js';
import { openEngine } from '../engine/engine.js';
import { FleetWorker } from './fleet-worker.js';
import type { WorkerFacts, WorkerOptions } from './worker-options.js';

/** A running worker of a fleet. */
export interface Worker extends AsyncDisposable {
  /** Its name, new at each start. */
  readonly id: string;
  /** What others know about this worker. */
  readonly facts: WorkerFacts;
  /** Resolves when it could not renew its lease, and its CLIs are ended: start another one. */
  readonly lost: Promise<void>;
  /** Accepts no more conversations, waits for running turns (default: 1 minute), and releases its conversations: then it is safe to exit. */
  drain(graceMs?: number): Promise<void>;
  /** Ends at once; other workers continue its conversations. */
  close(): Promise<void>;
}

/** Worker ids are parts of subjects. */
function workerId(): string {
  return `${hostname()
    .replaceAll(/[^\w-]/g, '-')
    .slice(0, 30)}-${randomUUID().slice(0, 8)}`;
}

/** Its own clones are not below a folder that users configured. */
function rootsOf({ roots, workspaces }: WorkerOptions): WorkerOptions['roots'] {
  return typeof workspaces === 'object' ? [...(roots ?? ['.']), workspaces.git.root] : roots;
}

/** Starts a worker of a fleet; resolves when it accepts conversations. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const id = workerId();
  const { slots = 8, clock = systemClock, tls: _tls, ...chosen } = options;
  if (typeof options.workspaces === 'object') await mkdir(options.workspaces.git.root, { recursive: true });
  const engine = await openEngine(options, `coxswain worker ${id}`);
  const folder = join(options.stateFolder ?? stateFolder(process.env), 'workers', id);
  const audit = new AuditLog(join(folder, 'audit.jsonl'), Date.now);
  let worker: FleetWorker | undefined;
  try {
    const source = await ownSessions({
      // Ended conversations take only a line; the engine has them too.
      options: {
        ...chosen,
        roots: rootsOf(options),
        maxRunning: slots,
        limits: { sessions: 100_000, ended: 1_000 },
      },
      folder,
      audit,
      webhooks: new Webhooks({ folder, clock, now: Date.now, answerUrl: () => '' }),
      onChange: (session) => worker?.changed(session as ConsoleSession),
      onRemoved: ({ id: removed }) => worker?.removed(removed),
      pace: (session) => worker?.pace(session),
    });
    worker = new FleetWorker({ id, engine, options, folder, audit, source });
    await worker.start();
    return worker;
  } catch (error) {
    await engine.close();
    throw error;
  }
}
