import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../support/console.js';
import { programOf } from '../../support/emulated-program.js';
import { startTestGateway } from '../../support/fleet.js';
import { type FleetProcess, gatewayProcess, workerProcess } from '../../support/fleet-processes.js';
import { createProxy } from '../../support/tcp-proxy.js';
import { type Servers, type Setup, startServers } from './servers.js';
import { Talk } from './talk.js';

const LEASE_S = 4;
const scenario = fileURLToPath(new URL('./scenario.mjs', import.meta.url));

/** A worker, and its ways to the servers. */
interface RiggedWorker {
  readonly process: FleetProcess;
  readonly proxies: readonly Awaited<ReturnType<typeof createProxy>>[];
}

type Gateway = Awaited<ReturnType<typeof gatewayProcess>>;

/** What can happen besides faults of servers; more often what has more consequences. */
const FAULTS = [
  ...(['kill', 'kill', 'kill', 'stop', 'stop', 'silence', 'silence'] as const),
  ...(['cut', 'drain', 'gateway-kill'] as const),
] as const;
export type Fault = (typeof FAULTS)[number];

interface RigParts {
  readonly talks: readonly Talk[];
  readonly servers: Servers;
  readonly start: () => Promise<RiggedWorker>;
  readonly ran: string;
  readonly sessions: string;
  readonly workers: RiggedWorker[];
}

/** A fleet of processes to break: two workers with CLIs as processes, servers, gateways, and some conversations. */
export class Rig {
  readonly talks: readonly Talk[];
  readonly #servers: Servers;
  readonly #start: () => Promise<RiggedWorker>;
  readonly #ran: string;
  readonly #sessions: string;
  readonly #workers: RiggedWorker[];
  /** Where the other viewers are. */
  #gateway: Gateway | undefined;
  /** What undoes faults that are under way. */
  readonly #healing = new Set<Promise<void>>();

  private constructor({ talks, servers, start, ran, sessions, workers }: RigParts) {
    this.talks = talks;
    this.#servers = servers;
    this.#start = start;
    this.#ran = ran;
    this.#sessions = sessions;
    this.#workers = workers;
  }

  /** Servers and workers start together. */
  static async open(conversations: number, { setup = 'one', others = 0 }: RigOptions = {}): Promise<Rig> {
    const servers = await startServers(setup);
    const root = await temporaryFolder();
    const ran = join(root, 'ran.log');
    const sessions = join(root, 'projects');
    // Workers see by this folder that they share a disk.
    await mkdir(sessions);
    const env = { CHECKER_RAN: ran, COXSWAIN_SCENARIO: scenario, COXSWAIN_SESSIONS: sessions };
    const session = { cli: programOf('2.1.326'), env };
    const start = async (): Promise<RiggedWorker> => {
      const proxies = await Promise.all(
        servers.all.map(({ port, url }) => createProxy(port, new URL(url).hostname)),
      );
      const urls = proxies.map(({ port }) => `nats://127.0.0.1:${port}`);
      const process = await workerProcess({ nats: urls, root, leaseSeconds: LEASE_S, session });
      return { process, proxies };
    };
    const workers = await Promise.all([start(), start()]);
    await servers.ready;
    const nats = servers.all.map(({ url }) => url);
    const gateway = await startTestGateway({ fleet: { nats } });
    const talks = [];
    for (let at = 0; at < conversations; at += 1)
      talks.push(await Talk.open(gateway, { cwd: root, nats, others }));
    const rig = new Rig({ talks, servers, start, ran, sessions, workers });
    if (others > 0) await rig.#moveViewers();
    return rig;
  }

  /** The names of everything that can happen here. */
  get faults(): readonly string[] {
    const ofServers = Object.keys(this.#servers.faults);
    const ofGateways = this.#gateway === undefined ? ['gateway-kill'] : [];
    return [...FAULTS.filter((fault) => !ofGateways.includes(fault)), ...ofServers];
  }

  /** Lets something happen to a worker, a server or a gateway; most of it passes by itself. */
  async break(fault: string, who: number, ms: number): Promise<void> {
    const ofServers = this.#servers.faults[fault];
    if (ofServers !== undefined) return ofServers(ms);
    if (fault === 'gateway-kill') return this.#moveViewers();
    const at = who % this.#workers.length;
    const worker = this.#workers[at];
    if (worker === undefined) return;
    const { process, proxies } = worker;
    if (fault === 'kill' || fault === 'drain') {
      this.#workers[at] = await this.#start();
      if (fault === 'kill') process.signal('SIGKILL');
      else process.tell('drain');
    } else if (fault === 'cut') for (const proxy of proxies) proxy.cut();
    else if (fault === 'stop') {
      process.signal('SIGSTOP');
      this.#later(ms, () => process.signal('SIGCONT'));
    } else {
      for (const proxy of proxies) proxy.silence();
      this.#later(ms, () => {
        for (const proxy of proxies) proxy.release();
      });
    }
  }

  /** Waits until every fault has passed. */
  async heal(): Promise<void> {
    await Promise.all(this.#healing);
  }

  /** The ids that CLIs ran, each as often as it ran. */
  get ran(): readonly string[] {
    if (!existsSync(this.#ran)) return [];
    const lines = readFileSync(this.#ran, 'utf8').trim().split('\n');
    return lines.map((line) => line.split(' ')[0] ?? '');
  }

  /** What CLIs wrote down: a message is there from the moment that its turn begins. */
  get transcripts(): string {
    const files = readdirSync(this.#sessions, { recursive: true, encoding: 'utf8' });
    const texts = files.filter((name) => name.endsWith('.jsonl'));
    return texts.map((name) => readFileSync(join(this.#sessions, name), 'utf8')).join('');
  }

  /** The gateway of the other viewers is lost, and they go on at another one. */
  async #moveViewers(): Promise<void> {
    this.#gateway?.signal('SIGKILL');
    const gateway = await gatewayProcess(this.#servers.all.map(({ url }) => url));
    this.#gateway = gateway;
    const viewers = this.talks.flatMap((talk) => talk.viewers.slice(1));
    await Promise.all(viewers.map((viewer) => viewer.moveTo(gateway)));
  }

  #later(ms: number, undo: () => void): void {
    const healing = new Promise<void>((resolve) => setTimeout(resolve, ms)).then(undo);
    this.#healing.add(healing);
    void healing.then(() => this.#healing.delete(healing));
  }
}

/** What a rig has. */
export interface RigOptions {
  readonly setup?: Setup | undefined;
  /** How many others watch each conversation. */
  readonly others?: number | undefined;
}
