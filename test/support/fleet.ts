import { onTestFinished } from 'vitest';
import type { EmulatedCli, EmulateOptions } from '../../src/lab/testing/emulator/emulate-cli.js';
import type { Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import type { Console } from '../../src/server/console/start-console.js';
import { type GatewayOptions, startGateway } from '../../src/server/fleet/gateway/start-gateway.js';
import { startWorker, type Worker } from '../../src/server/fleet/worker/start-worker.js';
import type { WorkerOptions } from '../../src/server/fleet/worker/worker-options.js';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';
import { temporaryFolder } from './console.js';
import { emulatedStarts } from './emulated-starts.js';
import { type NatsServer, natsServer } from './nats/nats-server.js';

/** A worker in this process whose CLIs are emulated. */
export interface EmulatedWorker {
  readonly worker: Worker;
  /** The CLIs that were started, in order. */
  readonly clis: readonly EmulatedCli[];
}

/** Starts a worker that plays a scenario with each CLI; it is closed after the test. */
export async function startEmulatedWorker(
  scenario: Scenario | (() => Scenario),
  {
    emulate = {},
    root,
    ...options
  }: Omit<WorkerOptions, 'session'> & { emulate?: EmulateOptions; root: string },
): Promise<EmulatedWorker> {
  const { transport, clis } = emulatedStarts(typeof scenario === 'function' ? scenario : () => scenario, {
    partialMessages: true,
    ...emulate,
  });
  const worker = await startWorker({
    // A busy machine may be late; tests of leases set it.
    leaseSeconds: 30,
    roots: [root],
    stateFolder: await temporaryFolder(),
    configDir: root,
    session: { transport },
    ...options,
  });
  onTestFinished(() => worker.close());
  return { worker, clis };
}

/** Starts a gateway; it is closed after the test. */
export async function startTestGateway(options: GatewayOptions): Promise<Console> {
  const server = await startGateway({ stateFolder: await temporaryFolder(), ...options });
  onTestFinished(() => server.close());
  return server;
}

/** A fleet in this process, on its own server. */
export interface TestFleet {
  readonly server: Console;
  readonly workers: readonly EmulatedWorker[];
  /** A folder that conversations may work in. */
  readonly root: string;
  readonly nats: NatsServer;
  readonly engine: { readonly nats: string };
}

/** Starts a server, a worker for each scenario, and a gateway; all are stopped after the test. */
export async function startFleet(
  scenarios: readonly (() => Scenario)[],
  options: Partial<WorkerOptions> = {},
): Promise<TestFleet> {
  const nats = await natsServer();
  const root = await temporaryFolder();
  const engine = { nats: nats.url };
  const workers = [];
  for (const scenario of scenarios)
    workers.push(await startEmulatedWorker(scenario, { ...engine, ...options, root }));
  return { server: await startTestGateway({ fleet: engine }), workers, root, nats, engine };
}

/** Whether a socket message is a partial message of the model, which is not stored. */
export function isPieceEvent({ event }: WireObject): boolean {
  return isObject(event) && isObject(event.frame) && event.frame.type === 'stream_event';
}
