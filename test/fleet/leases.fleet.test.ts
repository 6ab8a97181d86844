import { readFileSync } from 'node:fs';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Names } from '../../src/server/fleet/nats/names.js';
import { type NatsEngine, openEngine } from '../../src/server/fleet/nats/open-engine.js';
import { WorkerLease } from '../../src/server/fleet/worker/worker-lease.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { commandOf, isRunning } from '../integration/process-helpers.js';
import { temporaryFolder } from '../support/console.js';
import { programOf } from '../support/emulated-program.js';
import { startTestGateway } from '../support/fleet.js';
import { type FleetProcess, workerProcess } from '../support/fleet-processes.js';
import { FleetTalk } from '../support/fleet-talk.js';
import { natsCluster } from '../support/nats/nats-cluster.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';
import { type Proxy as CuttableProxy, createProxy } from '../support/tcp-proxy.js';

type Fault = (parts: { readonly worker: FleetProcess; readonly proxy: CuttableProxy }) => void;

const faults: Record<string, Fault> = {
  'is stopped': ({ worker }) => worker.signal('SIGSTOP'),
  'cannot reach NATS': ({ proxy }) => proxy.silence(),
};

withNats('the lease of a worker', () => {
  test.skipIf(process.platform !== 'linux').each(Object.keys(faults))(
    'expires after its CLIs have ended if it %s',
    async (fault) => {
      const server = await natsServer();
      const proxy = await createProxy(server.port);
      const root = await temporaryFolder();
      const nats = `nats://127.0.0.1:${proxy.port}`;
      const session = { cli: programOf('2.1.326'), env: { COXSWAIN_SESSIONS: root } };
      // The CLIs must end in its last quarter, also on a busy machine.
      const worker = await workerProcess({ nats, root, leaseSeconds: 20, session });
      const gateway = await startTestGateway({ fleet: { nats: server.url } });
      await FleetTalk.open(gateway, { cwd: root, nats: server.url });
      const clis = childrenOf(worker.pid).filter((pid) => isCli(commandOf(pid)));
      expect(clis.map(isRunning)).toEqual([true]);
      const expired = await expiryOf(server.url, await worker.heard('worker'));
      faults[fault]?.({ worker, proxy });
      await expired();
      // From now on, another worker could have its conversations.
      expect(clis.filter(isRunning)).toEqual([]);
    },
  );

  test('is renewed at another server of the cluster if it cannot be renewed at this one', async () => {
    const cluster = await natsCluster();
    // A cluster that has just started may be too slow for the first time.
    const engine = await vi.waitFor(() => openEngine({ nats: cluster.urls }), 60_000);
    onTestFinished(() => engine.close());
    const facts = () => ({});
    const ignored = () => {};
    const lease = new WorkerLease({
      engine,
      worker: 'one',
      seconds: 15,
      clock: systemClock,
      facts,
      onRenewed: ignored,
      onLost: ignored,
    });
    await lease.start();
    onTestFinished(() => lease.end());
    const changed = changeOfServer(engine);
    await engine.jsm.streams.delete(`KV_${engine.names.workers}`);
    expect(await changed).toBe('forceReconnect');
  });
});

async function changeOfServer({ connection }: NatsEngine): Promise<string> {
  for await (const { type } of connection.status()) if (type === 'forceReconnect') return type;
  return 'closed';
}

/** Waits for the marker of a worker's expired lease. */
async function expiryOf(nats: string, worker: string): Promise<() => Promise<void>> {
  const connection = await connect({ servers: nats });
  onTestFinished(() => connection.close());
  const leases = await new Kvm(connection).open(new Names().workers);
  const changes = await leases.watch({ key: worker, include: 'updates' });
  return async () => {
    for await (const { operation } of changes) if (operation !== 'PUT') return;
  };
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

/** The worker also runs the program to read its version. */
function isCli(command: string): boolean {
  return command.includes('emulator') && !command.includes('--version');
}
