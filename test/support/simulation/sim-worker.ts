import type { Engine } from '../../../src/server/fleet/engine/engine.js';
import { FleetWorker, type FleetWorkerParts } from '../../../src/server/fleet/worker/fleet-worker.js';
import type { SimProcess } from './processes.js';
import { SimSessions, simSource } from './sessions.js';
import type { Outside, Step } from './sim-cli.js';
import type { World } from './world.js';

type Carried = FleetWorkerParts['carried'];

/** What a simulated worker needs; the rest is what nothing happens to. */
export interface SimWorkerParts extends Partial<Pick<Carried, 'messageIds' | 'restore'>> {
  readonly id: string;
  readonly world: World;
  readonly process: SimProcess;
  readonly engine: Engine;
  readonly outside: Outside;
  readonly disk?: string | undefined;
  readonly slots?: number | undefined;
  readonly keepsPrompts?: boolean | undefined;
  /** Decides whether a CLI may get a message, which the worker decides otherwise. */
  readonly hand?: ((handing: () => Promise<boolean>) => Promise<boolean>) | undefined;
  /** Resolves when messages may be handed over. */
  readonly mayHand?: Promise<void> | undefined;
  readonly onStep?: ((sessions: SimSessions, step: Step, uuid: string) => void) | undefined;
}

const LEASE_S = 5;

/** A worker whose sessions are simulated. */
export function simWorker(parts: SimWorkerParts): {
  readonly worker: FleetWorker;
  readonly sessions: SimSessions;
} {
  const { id, world, process, engine, outside, disk, slots = 4 } = parts;
  const { hand = (handing) => handing(), onStep = () => {}, keepsPrompts } = parts;
  const sessions: SimSessions = new SimSessions({
    world,
    process,
    outside,
    keepsPrompts,
    mayHand: parts.mayHand,
    whenStored: (session) => hand(() => worker.whenStored(session)),
    onChange: (session) => worker.changed(session),
    onStep: (step, uuid) => onStep(sessions, step, uuid),
  });
  let callOff = () => {};
  const worker: FleetWorker = new FleetWorker({
    id,
    engine,
    options: { nats: '', slots, leaseSeconds: LEASE_S, clock: process.clock },
    audit: { add: () => {}, close: async () => {} },
    source: simSource(sessions),
    carried: {
      disk,
      opening: async (command) => command,
      restore: parts.restore ?? (async ({ cwd }) => ({ cwd, problem: undefined })),
      messageIds: parts.messageIds ?? (async () => undefined),
      changed: () => {},
      save: async () => {},
      forget: () => {},
      remove: async () => {},
    },
    deadline: {
      extend: (ms) => {
        callOff();
        callOff = world.after(ms, () => sessions.killClis());
      },
      release: () => callOff(),
    },
    folder: { remove: async () => {}, unlock: () => {} },
  });
  return { worker, sessions };
}
