import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { hostKeeper } from '../../../wire/transport/process/keeper.js';
import { systemClock } from '../../../wire/util/clock.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { AuditLog } from '../../console/keys/audit-log.js';
import type { ConsoleSession } from '../../console/sessions/console-session.js';
import { ownSessions } from '../../console/sessions/own-sessions.js';
import { stateFolder } from '../../console/state-folder.js';
import { Webhooks } from '../../console/webhooks/webhooks.js';
import { lockFolder } from '../../manager/store/folder-lock.js';
import { openEngine } from '../nats/open-engine.js';
import { fewReplicas } from '../nats/streams.js';
import { refuseBudgets } from '../refuse-budgets.js';
import { CarriedState } from './carried-state.js';
import { FleetWorker } from './fleet-worker.js';
import { finishLeft } from './left-workers.js';
import { SharedLimits } from './shared-limits.js';
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
  /** Ends immediately; other workers continue its conversations. */
  close(): Promise<void>;
}

/** Worker ids are parts of subjects. */
function workerId(): string {
  return `${hostname()
    .replaceAll(/[^\w-]/g, '-')
    .slice(0, 30)}-${randomUUID().slice(0, 8)}`;
}

/** For longer, the engine would not recognize a write that is repeated. */
const MOST_LEASE_S = 120;
/** The log on disk has room for this much, and for what a CLI adds before it waits. */
const MOST_SPOOL = 16 * 1024 * 1024;

function checkOptions(options: WorkerOptions): void {
  const { leaseSeconds = 1, spoolCharacters = 0 } = options;
  refuseBudgets(options);
  if (!Number.isInteger(leaseSeconds) || leaseSeconds < 1 || leaseSeconds > MOST_LEASE_S)
    throw new CoxswainError(
      'OPTION_INVALID',
      `A lease is 1 to ${MOST_LEASE_S} whole seconds, not ${leaseSeconds}.`,
    );
  if (!(spoolCharacters <= MOST_SPOOL))
    throw new CoxswainError(
      'OPTION_INVALID',
      `spoolCharacters is at most ${MOST_SPOOL}, not ${spoolCharacters}.`,
    );
}

/** Its own clones are not below a folder that users configured. */
function rootsOf({ roots, workspaces }: WorkerOptions): WorkerOptions['roots'] {
  return typeof workspaces === 'object' ? [...(roots ?? ['.']), workspaces.git.root] : roots;
}

/** Starts a worker of a fleet; resolves when it accepts conversations. @throws CoxswainError `OPTION_INVALID`. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  checkOptions(options);
  const id = workerId();
  const { slots = 8, clock = systemClock, tls: _tls, ...chosen } = options;
  if (typeof options.workspaces === 'object') await mkdir(options.workspaces.git.root, { recursive: true });
  const engine = await openEngine(options, `coxswain worker ${id}`);
  const workers = join(options.stateFolder ?? stateFolder(process.env), 'workers');
  const folder = join(workers, id);
  const carried = new CarriedState(engine, options);
  let worker: FleetWorker | undefined;
  try {
    const message = await fewReplicas(engine, options);
    if (message !== undefined) options.onDiagnostic?.({ code: 'FLEET_FEW_REPLICAS', message });
    const unlock = lockFolder(folder);
    await finishLeft({ engine, clock, folder: workers, carried });
    const audit = new AuditLog(join(folder, 'audit.jsonl'), Date.now);
    const limitExchange = new SharedLimits(engine.leases);
    await limitExchange.open();
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
      whenStored: async (session) => (await worker?.whenStored(session)) ?? false,
      limitExchange,
    });
    const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
    const deadline = hostKeeper().deadline();
    worker = new FleetWorker({
      id,
      engine,
      options,
      folder: { remove, unlock },
      audit,
      source,
      carried,
      deadline,
    });
    await worker.start();
    // A remote may be slow or away; the next start tries again.
    void carried.clean().catch(() => {});
    return worker;
  } catch (error) {
    await engine.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    throw error;
  }
}
