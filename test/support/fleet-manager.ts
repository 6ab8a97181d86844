import { tmpdir } from 'node:os';
import { onTestFinished } from 'vitest';
import type { AskedLaunch } from '../../src/host/cli/options/asked-launch.js';
import { startWorker, type Worker } from '../../src/server/fleet/worker/start-worker.js';
import type { WorkerOptions } from '../../src/server/fleet/worker/worker-options.js';
import type { Manager } from '../../src/server/manager/manager.js';
import { openManager } from '../../src/server/managers/open-manager.js';
import type {
  FleetConversationOptions,
  FleetManagerOptions,
} from '../../src/server/managers/served/served-manager-options.js';
import { temporaryFolder } from './console.js';
import { type EmulatedClis, emulatedLaunches } from './manager.js';
import { type NatsServer, natsServer } from './nats/nats-server.js';

/** A worker that emulates CLIs in memory, and how they were started. */
export interface EmulatingWorker {
  readonly worker: Worker;
  readonly launches: readonly AskedLaunch[];
}

/** Starts a worker with a folder of its own; it is closed after the test. */
export async function startEmulatingWorker(
  clis: EmulatedClis,
  options: WorkerOptions,
): Promise<EmulatingWorker> {
  const root = await temporaryFolder();
  const { transport, launches } = emulatedLaunches(clis);
  const worker = await startWorker({
    // A busy machine may be late.
    leaseSeconds: 30,
    limitSpreadMs: 0,
    // One for all workers of a test, as on a shared disk.
    roots: [tmpdir()],
    configDir: root,
    stateFolder: await temporaryFolder(),
    session: { transport },
    ...options,
  });
  onTestFinished(() => worker.close());
  return { worker, launches };
}

/** A fleet with one worker, and a manager of it. */
export interface EmulatedFleetManager extends EmulatingWorker {
  readonly manager: Manager<FleetConversationOptions>;
  readonly clis: () => number;
  readonly nats: NatsServer;
}

/** Opens a manager of a fleet whose worker emulates CLIs; all go after the test. */
export async function emulatedFleetManager(
  clis: EmulatedClis,
  options: Omit<FleetManagerOptions, 'fleet'> = {},
  work: Partial<WorkerOptions> = {},
): Promise<EmulatedFleetManager> {
  const nats = await natsServer();
  const { worker, launches } = await startEmulatingWorker(clis, { nats: nats.url, ...work });
  const manager = await openManager({ ...options, fleet: { nats: nats.url } });
  onTestFinished(() => manager.close());
  return { manager, worker, clis: () => launches.length, launches, nats };
}
