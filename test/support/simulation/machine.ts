import { LoggedMessages } from '../../../src/server/conversation/logged-messages.js';
import type { Engine, Keys } from '../../../src/server/fleet/engine/engine.js';
import type { FleetWorker } from '../../../src/server/fleet/worker/fleet-worker.js';
import { isObject } from '../../../src/wire/protocol/frames.js';
import { errorText } from '../../../src/wire/util/error-text.js';
import { memoryEngine } from './memory-engine.js';
import { SimProcess } from './processes.js';
import { type SimSessions, short } from './sessions.js';
import type { Step } from './sim-cli.js';
import { simWorker } from './sim-worker.js';
import type { SimFleet } from './simulation.js';
import type { World } from './world.js';

/** A machine: it starts a worker again when there is none. */
export class Machine {
  readonly #fleet: SimFleet;
  readonly #name: string;
  #starts = 0;
  #process: SimProcess | undefined;
  #worker: FleetWorker | undefined;
  #sessions: SimSessions | undefined;
  #isEnding = false;
  /** How long it takes longer than usual to start the next worker. */
  #pauseMs = 0;

  constructor(fleet: SimFleet, name: string) {
    this.#fleet = fleet;
    this.#name = name;
  }

  async start(): Promise<void> {
    if (this.#isEnding) return;
    const fleet = this.#fleet;
    const { world, outside, servers, planted } = fleet;
    this.#starts += 1;
    const id = `${this.#name}-${this.#starts}`;
    const process = new SimProcess(world);
    process.onKill(() => servers.drop(process));
    const own = noting(memoryEngine(servers, process), fleet);
    const engine = planted === 'eager-takeover' ? eager(own, world) : own;
    const disk = fleet.isOneDisk ? 'disk' : this.#name;
    const { worker, sessions } = simWorker({
      id,
      world,
      process,
      engine,
      outside,
      disk,
      messageIds: async (record) => this.#messageIds(record.disk === disk, record.summary.id),
      hand: planted === 'unfenced-hand' ? handAnyway : undefined,
      keepsPrompts: planted !== 'expiring-prompts',
      onStep: (its, step, uuid) => this.#step(id, its, step, uuid),
    });
    [this.#process, this.#worker, this.#sessions] = [process, worker, sessions];
    void worker.lost.then(() => this.#again(process, `${id} has lost its lease`));
    try {
      await worker.start();
      fleet.note(`${id} is there`);
    } catch (error) {
      await worker.close();
      this.#again(process, `${id} has not started: ${errorText(error)}`);
    }
  }

  /** Kills its worker; the next one starts after a while. */
  kill(pauseMs = 0): void {
    const process = this.#process;
    this.#pauseMs = pauseMs;
    if (process === undefined) return;
    this.#fleet.note(`kill ${this.#name}-${this.#starts}`);
    this.#count('kill');
    process.kill();
    this.#again(process, undefined);
  }

  stop(ms: number): void {
    this.#fleet.note(`stop ${this.#name}-${this.#starts} for ${ms} ms`);
    this.#count('stop');
    this.#process?.stop(ms);
  }

  async drain(graceMs: number): Promise<void> {
    const [worker, process] = [this.#worker, this.#process];
    if (worker === undefined || process === undefined) return;
    this.#fleet.note(`drain ${worker.id}`);
    this.#count('drain');
    await worker.drain(graceMs);
    this.#again(process, `${worker.id} is drained`);
  }

  endClis(): void {
    this.#fleet.note(`the CLIs of ${this.#name} end`);
    this.#count('CLI end');
    this.#sessions?.killClis();
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    if (this.#process?.isAlive() === true) await this.#worker?.close();
  }

  /** What it must not leave. */
  get left(): readonly [string, number] {
    return [this.#name, this.#process?.timers ?? 0];
  }

  /** Starts the next worker, unless that has happened. */
  #again(process: SimProcess, why: string | undefined): void {
    if (why !== undefined) this.#fleet.note(why);
    if (process !== this.#process) return;
    this.#process = undefined;
    const { world } = this.#fleet;
    world.after(this.#pauseMs + 500 + world.upTo(4_000), () => void this.start());
    this.#pauseMs = 0;
  }

  #count(what: string): void {
    this.#fleet.countPoints(what, new Set(this.#sessions?.all.map(({ id }) => id)));
  }

  #step(worker: string, sessions: SimSessions, step: Step, uuid: string): void {
    const fleet = this.#fleet;
    const session = sessions.all.find((each) => each.has(uuid) || each.asks(uuid))?.id;
    fleet.step(step, uuid, session);
    if (step !== 'given' || session === undefined) return;
    fleet.note(`${worker} gives ${short(uuid)} to its CLI`);
    const last = fleet.servers.part({ session, part: 'epoch' }).at(-1);
    const owner: unknown = last === undefined ? undefined : JSON.parse(last.text);
    const isOwner = isObject(owner) && owner.worker === worker;
    // Who owns what is lost, too, if the store is an older copy.
    if (!isOwner && !fleet.hasGoneBack)
      fleet.fails(`${worker} gave ${short(uuid)} to its CLI after it had lost the conversation`);
  }

  #messageIds(isWhole: boolean, session: string) {
    const { outside, planted } = this.#fleet;
    if (planted === 'no-transcript') return { ids: new Set<string>(), isWhole: true };
    if (planted !== 'forget-joined') return { ids: new Set(isWhole ? outside.transcript : []), isWhole };
    const logged = new LoggedMessages();
    for (const entry of this.#fleet.entries(session)) logged.note(entry);
    return { ids: new Set(logged.outcomes.keys()), isWhole };
  }
}

/** Does not wait for what the worker says. */
async function handAnyway(handing: () => Promise<boolean>): Promise<boolean> {
  void handing();
  return true;
}

/** An engine that notes when a command is stored as accepted, and when its message is in the log. */
function noting(engine: Engine, fleet: SimFleet): Engine {
  const append: Engine['logs']['append'] = async (key, text, how) => {
    const sequence = await engine.logs.append(key, text, how);
    const accepted = key.part === 'commands' ? ACCEPTED.exec(text)?.[1] : undefined;
    if (accepted !== undefined) fleet.step('accepted', accepted);
    if (key.part === 'events') for (const [, uuid = ''] of text.matchAll(QUEUED)) fleet.step('stored', uuid);
    return sequence;
  };
  return { ...engine, logs: { ...engine.logs, append } };
}

const ACCEPTED = /^\{"id":"([\w-]+)","name":"send","state":"accepted"/;
const QUEUED = /"kind":"queued","uuid":"([\w-]+)"/g;

/** An engine that says now and then that a living worker has no lease. */
function eager(engine: Engine, world: World): Engine {
  const find: Keys['find'] = async (key) => {
    const found = await engine.leases.find(key);
    return world.chance(0.9) ? { ...found, value: undefined } : found;
  };
  return { ...engine, leases: { ...engine.leases, find } };
}
