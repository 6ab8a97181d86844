import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../../support/console.js';
import { youngCluster } from '../../support/nats/nats-cluster.js';
import { type NatsServer, natsServer } from '../../support/nats/nats-server.js';
import { type Machine, makeMachines } from '../../support/nats/networks.js';
import { smallDiskServer } from '../../support/nats/small-disk.js';

/** Which NATS servers a run has, and so what can happen to them. */
export const SETUPS = ['one', 'three', 'networks', 'small-disk', 'rollback'] as const;
export type Setup = (typeof SETUPS)[number];

/** A stream whose leader is broken; conversations are spread over four. */
const STREAM = 'coxswain_EVT_0';
/** As long as a lease bears. */
const LONGEST_PAUSE_MS = 3_000;

/** The servers of a run. */
export interface Servers {
  readonly all: readonly NatsServer[];
  /** What can happen to them, by name; each resolves when it has passed. */
  readonly faults: Readonly<Record<string, (ms: number) => Promise<void>>>;
  /** Resolves when they accept conversations; workers may start before. */
  readonly ready: Promise<unknown>;
}

export async function startServers(setup: Setup): Promise<Servers> {
  if (setup === 'three') return three();
  if (setup === 'networks') return three(await makeMachines(3));
  if (setup === 'small-disk') {
    const server = await smallDiskServer(64);
    const full = async (ms: number) => {
      server.fill();
      await pause(ms);
      server.free();
      // One whose disk was full stores nothing until it is restarted.
      await server.stop();
      await server.start();
    };
    return { all: [server], faults: { ...ofServer(server), full }, ready: Promise.resolve() };
  }
  const server = await natsServer();
  const faults = setup === 'rollback' ? await rollback(server) : ofServer(server);
  return { all: [server], faults, ready: Promise.resolve() };
}

function ofServer(server: NatsServer): Servers['faults'] {
  return { 'nats-kill': () => killed(server), 'nats-stop': (ms) => stopped(server, ms) };
}

/** Three servers; with machines of their own, they lose each other too. */
async function three(machines: readonly Machine[] = []): Promise<Servers> {
  // Workers reach each server by a proxy alone.
  const cluster = await youngCluster(3, '', { advertises: false, machines });
  const { servers } = cluster;
  const leader = async () => (await cluster.leaderOf(STREAM)) ?? servers[0];
  const follower = async () => {
    const led = await leader();
    return servers.find((server) => server !== led);
  };
  const cutOff = async (server: NatsServer | undefined, ms: number) => {
    const machine = server === undefined ? undefined : machines[servers.indexOf(server)];
    machine?.cutOff();
    await pause(Math.min(ms, LONGEST_PAUSE_MS));
    machine?.connect();
  };
  const cuts: Servers['faults'] = {
    'leader-cut': async (ms) => cutOff(await leader(), ms),
    'follower-cut': async (ms) => cutOff(await follower(), ms),
    'all-cut': async (ms) => void (await Promise.all(servers.map((server) => cutOff(server, ms)))),
  };
  const faults: Servers['faults'] = {
    'leader-kill': async () => killed(await leader()),
    'leader-stop': async (ms) => stopped(await leader(), ms),
    'follower-kill': async () => killed(await follower()),
    'follower-stop': async (ms) => stopped(await follower(), ms),
    'all-kill': async () => {
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all(servers.map((server) => server.start()));
    },
    'rolling-restart': async () => {
      for (const server of servers) {
        await server.stop();
        await server.start();
      }
    },
    ...(machines.length === 0 ? {} : cuts),
  };
  return { all: servers, faults, ready: cluster.ready() };
}

/** A store that goes back to an older copy, as from a backup. */
async function rollback(server: NatsServer): Promise<Servers['faults']> {
  const copy = join(await temporaryFolder(), 'copy');
  await pauseFor(server, () => cp(server.storeDir, copy, { recursive: true }));
  return {
    backup: () =>
      pauseFor(server, async () => {
        await rm(copy, { recursive: true });
        await cp(server.storeDir, copy, { recursive: true });
      }),
    restore: () =>
      pauseFor(server, async () => {
        await rm(server.storeDir, { recursive: true });
        await cp(copy, server.storeDir, { recursive: true });
      }),
  };
}

async function pauseFor(server: NatsServer, work: () => Promise<void>): Promise<void> {
  await server.stop();
  await work();
  await server.start();
}

async function killed(server: NatsServer | undefined): Promise<void> {
  await server?.kill();
  await server?.start();
}

async function stopped(server: NatsServer | undefined, ms: number): Promise<void> {
  server?.signal('SIGSTOP');
  await pause(Math.min(ms, LONGEST_PAUSE_MS));
  server?.signal('SIGCONT');
}
