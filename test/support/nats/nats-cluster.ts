import { vi } from 'vitest';
import { freePorts, type NatsServer, natsServer } from './nats-server.js';
import type { Machine } from './networks.js';

/** How a cluster is made. */
export interface YoungClusterOptions {
  /** Whether clients learn the addresses of the other servers. Default: yes. */
  readonly advertises?: boolean;
  /** Where each server runs. Default: here. */
  readonly machines?: readonly Pick<Machine, 'host' | 'program'>[];
}

/** Servers that replicate their streams. */
export interface NatsCluster {
  readonly servers: readonly NatsServer[];
  readonly urls: readonly string[];
  /** The server that currently leads a stream. */
  leaderOf(stream: string): Promise<NatsServer | undefined>;
}

/** Starts a cluster on this machine; it is removed after the test. */
export async function natsCluster(size = 3, config = ''): Promise<NatsCluster> {
  const cluster = await youngCluster(size, config);
  await cluster.ready();
  return cluster;
}

/**
 * A cluster whose servers accept connections, but may not have elected a leader. Clients learn the addresses of the
 * others, unless `advertises` is false.
 */
export async function youngCluster(
  size = 3,
  config = '',
  { advertises = true, machines = [] }: YoungClusterOptions = {},
): Promise<NatsCluster & { ready(): Promise<void> }> {
  const routes = await freePorts(size);
  const hostOf = (index: number) => machines[index]?.host ?? '127.0.0.1';
  const others = routes.map((port, index) => `nats-route://${hostOf(index)}:${port}`).join(', ');
  const servers = await Promise.all(
    routes.map((port, index) =>
      natsServer({
        waitsForOthers: true,
        host: hostOf(index),
        ...(machines[index] === undefined ? {} : { program: machines[index].program }),
        config: `server_name: n${index}\ncluster { name: rig, listen: "${hostOf(index)}:${port}", routes: [${others}]${advertises ? '' : ', no_advertise: true'} }\n${config}`,
      }),
    ),
  );
  return new Cluster(servers);
}

class Cluster implements NatsCluster {
  readonly servers: readonly NatsServer[];

  constructor(servers: readonly NatsServer[]) {
    this.servers = servers;
  }

  get urls(): readonly string[] {
    return this.servers.map(({ url }) => url);
  }

  /** All see one leader, and all are its peers. */
  async ready(): Promise<void> {
    const isReady = async () => {
      const states = await Promise.all(this.servers.map((server) => metaOf(server)));
      const leaders = new Set(states.map((meta) => meta?.leader));
      const sizes = states.map((meta) => meta?.cluster_size);
      return (
        leaders.size === 1 &&
        !leaders.has(undefined) &&
        !leaders.has('') &&
        sizes.every((size) => size === this.servers.length)
      );
    };
    const ready = async () => {
      if (!(await isReady())) throw new Error(`the cluster has no leader: ${this.servers[0]?.log()}`);
    };
    await vi.waitFor(ready, { timeout: 60_000, interval: 50 });
  }

  /** Others may still name a leader of before, so only a server that says it of itself counts. */
  async leaderOf(stream: string): Promise<NatsServer | undefined> {
    const leads = new RegExp(`"name":"${stream}".*?"leader":"n(\\d+)"`);
    for (const [at, server] of this.servers.entries()) {
      const found = JSON.stringify(await server.monitor('jsz?streams=true').catch(() => ({})));
      if (leads.exec(found)?.[1] === String(at)) return server;
    }
    return undefined;
  }
}

async function metaOf(server: NatsServer): Promise<Record<string, unknown> | undefined> {
  const state = await server.monitor('jsz').catch(() => ({}) as Record<string, unknown>);
  const meta = state.meta_cluster;
  return typeof meta === 'object' && meta !== null ? { ...meta } : undefined;
}
