import type { Commander } from '../../../src/server/console/commands/command.js';
import { isClear, resultValue } from '../../../src/server/console/commands/command-result.js';
import { CommandRunner } from '../../../src/server/console/commands/command-runner.js';
import { Viewer } from '../../../src/server/console/socket/viewer.js';
import { isPassing, type LogEntry } from '../../../src/server/conversation/events.js';
import type { Engine, Stored } from '../../../src/server/fleet/engine/engine.js';
import { FleetCommands } from '../../../src/server/fleet/gateway/fleet-commands.js';
import { FleetSessions } from '../../../src/server/fleet/gateway/fleet-sessions.js';
import { WorkerList } from '../../../src/server/fleet/placement/worker-list.js';
import { memoryEngine } from './memory-engine.js';
import { SimProcess } from './processes.js';
import type { SimFleet } from './simulation.js';
import type { World } from './world.js';

const BY: Commander = { client: 'c', name: 'simulated', kind: 'program', role: 'owner', key: 'k' };

/** A gateway with one viewer for each conversation. */
export class Gateway {
  readonly #fleet: SimFleet;
  readonly #name: string;
  readonly #process: SimProcess;
  readonly #engine: Engine;
  readonly #sessions: FleetSessions;
  readonly #workers = new WorkerList();
  readonly #runner: CommandRunner;
  readonly #views: View[] = [];

  constructor(fleet: SimFleet, name: string) {
    this.#fleet = fleet;
    this.#name = name;
    this.#process = new SimProcess(fleet.world);
    const engine = memoryEngine(fleet.servers, this.#process);
    const { planted, world } = fleet;
    const changed = planted === 'no-series' ? withoutSeries(engine) : engine;
    this.#engine = planted === 'leaky-follow' ? leaky(engine, world) : changed;
    const { clock } = this.#process;
    this.#sessions = new FleetSessions(this.#engine, clock, { onChange: () => {}, onRemoved: () => {} });
    const parts = { engine: this.#engine, clock, sessions: this.#sessions, workers: this.#workers };
    const { run } = new FleetCommands(parts);
    const audit = { add: () => {} };
    this.#runner = new CommandRunner({ sessions: this.#sessions, audit, allowBypass: false, run });
  }

  async start(): Promise<void> {
    await this.#again(() => this.#workers.open(this.#engine, () => {}));
    await this.#again(() => this.#sessions.open());
  }

  async open(session: string): Promise<void> {
    const { world } = this.#fleet;
    const command = { name: 'open', session: undefined, params: { id: session, cwd: '/', join: true } };
    let id = world.uuid();
    await this.#again(async () => {
      const result = await this.#runner.run({ ...command, id }, BY);
      // Each answer is remembered under its id.
      if (!result.ok && isClear(result)) id = world.uuid();
      return resultValue(result);
    });
  }

  /** Does something until it succeeds. */
  async #again(work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await work();
        return;
      } catch {
        await this.#fleet.world.sleep(200);
      }
    }
  }

  async ask(session: string, id: string, params: object): Promise<void> {
    this.#fleet.step('asked', id, session);
    resultValue(await this.#runner.run({ id, name: 'send', session, params }, BY));
  }

  /** Answers a prompt; returns whether the answer counted. */
  async answer(session: string, id: string, prompt: string): Promise<boolean> {
    const params = { prompt, answer: { answer: 'allow' } };
    const value = resultValue(await this.#runner.run({ id, name: 'answer', session, params }, BY));
    return (value as { readonly accepted: boolean }).accepted;
  }

  async view(session: string): Promise<void> {
    // The other gateway's list says it a moment later.
    while (this.#sessions.known(session) === undefined) await this.#fleet.world.sleep(50);
    await this.#again(async () => {
      const found = await this.#sessions.find(session);
      this.#views.push(new View(this.#fleet, `a viewer at ${this.#name}`, found));
    });
  }

  /** Whether its viewers have everything. */
  get isCurrent(): boolean {
    return this.#views.every(({ missed }) => missed.length === 0);
  }

  check(): void {
    for (const view of this.#views) view.check();
  }

  async end(): Promise<void> {
    for (const view of this.#views) view.stop();
    this.#workers.close();
    await this.#sessions.close();
    await this.#engine.close();
  }

  get left(): readonly [string, number] {
    return [this.#name, this.#process.timers];
  }
}

/** Somebody who looks at a conversation: every number comes once and in order, or a reset. */
class View {
  readonly #fleet: SimFleet;
  readonly #name: string;
  readonly #session: string;
  readonly #viewer: Viewer;
  /** What it has, by number; parts of messages are not stored. */
  readonly #seen = new Map<number, string>();
  #from = 1;
  #last = 0;

  constructor(fleet: SimFleet, name: string, session: ConstructorParameters<typeof Viewer>[0]) {
    this.#fleet = fleet;
    this.#name = name;
    this.#session = session.id;
    const outlet = {
      open: true,
      writable: true,
      drained: async () => {},
      sendAttached: ({ from, reset }: { readonly from: number; readonly reset: boolean }) => {
        if (reset) {
          fleet.note(`${name} is reset to ${from}`);
          this.#seen.clear();
          this.#from = from;
          this.#last = from - 1;
        }
      },
      sendEntry: (_session: string, entry: LogEntry) => {
        const { n } = entry;
        if (n <= this.#last) fleet.fails(`${name} got ${n} after ${this.#last}`);
        this.#last = n;
        if (!isPassing(entry)) this.#seen.set(n, entry.rest);
      },
    };
    this.#viewer = new Viewer(session, outlet, { after: 0, partial: true, isKnown: true });
  }

  /** The stored numbers that it has not got as they are stored, and those that it has and that are not stored. */
  get missed(): readonly number[] {
    const entries = this.#fleet.entries(this.#session);
    const stored = entries.filter((entry) => !isPassing(entry) && entry.n >= this.#from);
    const known = new Map(stored.map(({ n, rest }) => [n, rest]));
    const numbers = new Set([...known.keys(), ...this.#seen.keys()]);
    return [...numbers].filter((n) => known.get(n) !== this.#seen.get(n));
  }

  check(): void {
    const { missed } = this;
    if (missed.length > 0)
      this.#fleet.fails(`${this.#name} missed ${missed.slice(0, 5).join(', ')} without a reset`);
  }

  stop(): void {
    this.#viewer.stop();
  }
}

/** An engine that does not say whose numbers events have, nor what was stored before them. */
function withoutSeries(engine: Engine): Engine {
  const bare = (stored: Stored): Stored => {
    const { head } = stored;
    return head === undefined
      ? stored
      : { ...stored, head: { ...head, series: undefined, after: undefined } };
  };
  const follow: Engine['logs']['follow'] = (key, { from, onStored }) =>
    engine.logs.follow(key, { from, onStored: (stored) => onStored(bare(stored)) });
  const last: Engine['logs']['last'] = async (key) => {
    const found = await engine.logs.last(key);
    return found === undefined ? undefined : bare(found);
  };
  return { ...engine, logs: { ...engine.logs, follow, last } };
}

/** An engine whose readers miss something now and then. */
function leaky(engine: Engine, world: World): Engine {
  const follow: Engine['logs']['follow'] = (key, { from, onStored }) =>
    engine.logs.follow(key, {
      from,
      onStored: (stored) => (world.chance(0.05) ? undefined : onStored(stored)),
    });
  return { ...engine, logs: { ...engine.logs, follow } };
}
