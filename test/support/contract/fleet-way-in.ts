import { onTestFinished } from 'vitest';
import { startWorker } from '../../../src/server/fleet/worker/start-worker.js';
import { openManager } from '../../../src/server/managers/open-manager.js';
import { temporaryFolder } from '../console.js';
import { type EmulatedLaunches, emulatedLaunches } from '../manager.js';
import { natsServer } from '../nats/nats-server.js';
import { managedConversations } from './manager-ways-in.js';
import { notOffered, type SharedOptions, type TestedConversations, type WayIn } from './way-in.js';

/** A manager of a fleet with one worker, which starts again with the manager. */
export const onFleet: Pick<WayIn, 'start'> = {
  start: async (scenarios, options = {}) => {
    const nats = await natsServer();
    const folder = await temporaryFolder();
    return fleetConversations({ nats: nats.url, options, folder, clis: emulatedLaunches({ scenarios }) });
  },
};

interface FleetBasis {
  readonly nats: string;
  readonly options: SharedOptions;
  readonly folder: string;
  readonly clis: EmulatedLaunches;
}

async function fleetConversations(basis: FleetBasis): Promise<TestedConversations> {
  const { nats, folder, clis } = basis;
  const { maxRunning, ...options } = basis.options;
  const worker = await startWorker({
    nats,
    // A busy machine may be late.
    leaseSeconds: 30,
    limitSpreadMs: 0,
    roots: [folder],
    configDir: folder,
    stateFolder: await temporaryFolder(),
    session: { transport: clis.transport },
    ...(maxRunning === undefined ? {} : { slots: maxRunning }),
  });
  onTestFinished(() => worker.close());
  const manager = await openManager({ ...options, fleet: { nats } });
  onTestFinished(() => manager.close());
  return {
    ...managedConversations(manager),
    folder,
    launches: clis.launches,
    restart: async (how) => {
      if (how === 'killed') return notOffered('a kill');
      await manager.close();
      await worker.close();
      return fleetConversations(basis);
    },
  };
}
