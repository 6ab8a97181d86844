import { eventOf, type LogEntry } from '../../../src/server/console/log/entry.js';
import { isObject } from '../../../src/wire/protocol/frames.js';
import { within } from '../../../src/wire/util/clock.js';
import { errorCode, errorText } from '../../../src/wire/util/error-text.js';
import { Gateway } from './gateway.js';
import { KnownLog } from './known-log.js';
import { Machine } from './machine.js';
import { MemoryServers } from './memory-engine.js';
import { playMoney } from './money.js';
import { short } from './sessions.js';
import { Outside } from './sim-cli.js';
import { World } from './world.js';

/** Known faults, planted to see that a simulation finds them. */
export const PLANTED = [
  // A message that a CLI had and had not begun counts as one that ran.
  'forget-joined',
  // A message goes to the CLI without a look at the epoch.
  'unfenced-hand',
  // An epoch is taken while the lease of its owner lives.
  'eager-takeover',
  // The next owner does not look at the transcript.
  'no-transcript',
  // A client takes an error that says that nobody can tell for a refusal.
  'no-fate',
  // A reader of a log misses something now and then.
  'leaky-follow',
  // Viewers do not learn whose numbers events have, so they cannot tell a store that is an older copy.
  'no-series',
  // Prompts are over when the worker of their CLI is.
  'expiring-prompts',
  // Turns that run have no money set aside.
  'unreserved-budget',
] as const;
export type Planted = (typeof PLANTED)[number];

/** What to play. */
export interface Plan {
  readonly seed: number;
  readonly planted?: Planted | undefined;
  /** How many disturbances at most. Default: as many as there is time for. */
  readonly disturbances?: number | undefined;
}

/** What came of it. */
export interface Verdict {
  readonly seed: number;
  /** What must not happen; nothing, if nothing did. */
  readonly wrong: readonly string[];
  readonly trace: readonly string[];
  readonly accepted: number;
  readonly disturbances: number;
  /** Messages of which nobody can tell whether they ran. */
  readonly unknown: number;
  /** How often each kind of event was stored. */
  readonly events: ReadonlyMap<string, number>;
  /** What happened to workers when a message had come how far. */
  readonly points: ReadonlyMap<string, number>;
}

/** How long things are disturbed, and how long everything may take to settle after that. */
const DISTURBED_MS = 30_000;
const SETTLED_MS = 100_000;
/** How often the engine's store goes back to an older copy, and how long everything may take to settle then. */
const ROLL_BACKS = 0.1;
const RESTORED_MS = 40_000;
/** How long it takes until somebody sees a prompt, at most. */
const LOOK_MS = 250;
/** Longer than a client waits for a worker. */
const BLACKOUT_MS = 65_000;
/** Whatever still runs when everything has ended is over by then. */
const LONGEST_TIMER_MS = 30_000;
const MACHINES = 3;
const CONVERSATIONS = 2;
const CLIENTS = 3;
const MESSAGES = 3;

/**
 * Plays a fleet: workers, placer, gateways and viewers on an engine in memory, and the budgets of a manager. The seed
 * decides everything.
 */
export async function play(plan: Plan): Promise<Verdict> {
  const fleet = new SimFleet(plan);
  const verdict = await withoutStacks(() => fleet.world.run(() => fleet.play()));
  const money = await playMoney(plan.seed, plan.planted !== 'unreserved-budget');
  return { ...verdict, wrong: [...verdict.wrong, ...money.wrong], trace: [...verdict.trace, ...money.trace] };
}

/** Thousands of errors say that an engine is away; nobody looks at their stacks. */
async function withoutStacks<Value>(work: () => Promise<Value>): Promise<Value> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Plays a seed that fails with as few disturbances as it needs for that. */
export async function shortest(plan: Plan): Promise<Verdict> {
  const whole = await play(plan);
  for (let disturbances = 0; disturbances < whole.disturbances; disturbances += 1) {
    const verdict = await play({ ...plan, disturbances });
    if (verdict.wrong.length > 0) return verdict;
  }
  return whole;
}

/** A request of a client: it may take several ids, one after the other. */
interface Request {
  readonly ids: string[];
  accepted: string | undefined;
}

/** How far something has come. */
interface Progress {
  readonly step: string;
  readonly session: string | undefined;
}

/** A fleet in virtual time, and what is known about it. */
export class SimFleet {
  readonly world: World;
  readonly servers: MemoryServers;
  readonly outside = new Outside();
  readonly planted: Planted | undefined;
  readonly isOneDisk: boolean;
  readonly wrong: string[] = [];
  readonly trace: string[] = [];
  readonly requests: Request[] = [];
  readonly sessions: readonly string[];
  /** How far each message and each prompt has come. */
  readonly #steps = new Map<string, Progress>();
  /** The answers to prompts that counted, as their senders were told. */
  readonly #answered: string[] = [];
  readonly points = new Map<string, number>();
  readonly #plan: Plan;
  readonly #logs = new Map<string, KnownLog>();
  readonly #machines: Machine[];
  readonly #gateways: Gateway[];
  readonly #most: number;
  #disturbances = 0;
  #isSettled = false;
  /** Whether the store of the engine is an older copy: what was lost with it is no fault. */
  hasGoneBack = false;
  /** After how many requests all workers are killed; 0 for never. */
  #untilBlackout: number;

  constructor(plan: Plan) {
    const world = new World(plan.seed);
    this.#plan = plan;
    this.planted = plan.planted;
    this.world = world;
    this.isOneDisk = world.chance(0.7);
    this.servers = new MemoryServers({
      clock: world,
      random: () => world.random(),
      makeId: () => world.uuid(),
      delay: () => (world.chance(0.02) ? world.upTo(2_000) : 1 + world.upTo(15)),
      losesAnswer: () => world.now() < DISTURBED_MS && world.chance(0.01),
      repeats: () => world.chance(0.02),
    });
    this.#most = plan.disturbances ?? Number.POSITIVE_INFINITY;
    this.#untilBlackout = world.chance(0.2) ? 1 + world.upTo(CLIENTS * MESSAGES) : 0;
    this.sessions = Array.from({ length: CONVERSATIONS }, () => world.uuid());
    this.#machines = Array.from({ length: MACHINES }, (_, index) => new Machine(this, `m${index}`));
    this.#gateways = [new Gateway(this, 'g0'), new Gateway(this, 'g1')];
  }

  note(text: string): void {
    this.trace.push(`${String(Math.round(this.world.now())).padStart(7)} ${text}`);
  }

  fails(text: string): void {
    this.note(`WRONG: ${text}`);
    this.wrong.push(text);
  }

  async play(): Promise<Verdict> {
    for (const machine of this.#machines) void machine.start();
    await Promise.all(this.#gateways.map((gateway) => gateway.start()));
    for (const session of this.sessions) await this.#gateways[0]?.open(session);
    for (const gateway of this.#gateways) for (const session of this.sessions) await gateway.view(session);
    const clients = Array.from({ length: CLIENTS }, (_, index) => this.#client(index));
    const disturbing = this.#disturb();
    const answering = this.#answerAll();
    await this.#within(Promise.all([...clients, disturbing]), 'a client still waits for an answer');
    await this.#within(this.#settle(), 'a conversation takes no messages any more');
    await this.#within(answering, 'somebody who answers a prompt still waits');
    await this.#untilCurrent();
    for (const gateway of this.#gateways) gateway.check();
    if (!this.hasGoneBack) {
      this.#checkMessages();
      this.#checkPrompts();
    }
    await this.#end();
    const events = this.#countEvents();
    const { trace, wrong, points } = this;
    const [{ seed }, disturbances, unknown] = [this.#plan, this.#disturbances, this.#unknown.length];
    return { seed, wrong, trace, accepted: this.#accepted.length, disturbances, unknown, events, points };
  }

  /** Notes how far a message or a prompt has come. */
  step(step: string, uuid: string, session = this.#steps.get(uuid)?.session): void {
    if (this.#steps.get(uuid)?.step === 'over') return;
    this.#steps.set(uuid, { step, session });
    if (step !== 'asked' || this.#untilBlackout === 0) return;
    this.#untilBlackout -= 1;
    if (this.#untilBlackout === 0) this.world.after(this.world.upTo(60), () => this.#blackOut());
  }

  /** Ends all workers in the middle of a request, for longer than a client waits for one. */
  #blackOut(): void {
    if (this.#disturbances >= this.#most) return;
    this.#disturbances += 1;
    for (const machine of this.#machines) machine.kill(BLACKOUT_MS);
  }

  get #accepted(): readonly string[] {
    return this.requests.flatMap(({ accepted }) => accepted ?? []);
  }

  async #client(index: number): Promise<void> {
    const { world } = this;
    for (let count = 0; count < MESSAGES; count += 1) {
      await world.sleep(world.upTo(DISTURBED_MS / MESSAGES));
      const session = this.sessions[index % CONVERSATIONS] as string;
      await this.#request(session);
    }
  }

  /** Sends a message until it is accepted: under the same id, unless an error says that it did not run. */
  async #request(session: string): Promise<void> {
    const { world } = this;
    const request: Request = { ids: [], accepted: undefined };
    this.requests.push(request);
    const content = `message ${this.requests.length}`;
    const whileBusy = world.chance(0.3) ? 'enqueue' : 'join';
    let id = '';
    for (let isRefused = true; request.accepted === undefined; ) {
      if (isRefused) {
        id = world.uuid();
        request.ids.push(id);
      }
      const gateway = this.#gateways[world.upTo(2)] as Gateway;
      const ask = () => gateway.ask(session, id, { content, whileBusy });
      try {
        // Some clients are impatient.
        const asked = world.chance(0.1) ? [ask(), world.sleep(world.upTo(3_000)).then(ask)] : [ask()];
        await answerOf(asked);
        request.accepted = id;
        // Whoever looks at the log now finds it there.
        if (!this.hasGoneBack && !this.#log(session).queued.has(id))
          this.fails(`${short(id)} was accepted before it was in the log`);
        this.step('answered', id);
        this.note(`accepted ${short(id)} of ${short(session)}`);
      } catch (error) {
        isRefused = this.#isRefusal(error);
        this.note(`${isRefused ? 'refused' : 'no answer for'} ${short(id)}: ${errorText(error)}`);
        await world.sleep(200);
      }
    }
  }

  /** Whether an error says that a message did not run, and never will. */
  #isRefusal(error: unknown): boolean {
    const code = String(errorCode(error));
    if (this.planted === 'no-fate' && code === 'FLEET_UNANSWERED') return true;
    return REFUSALS.has(code);
  }

  async #disturb(): Promise<void> {
    const { world } = this;
    if (world.chance(ROLL_BACKS)) void this.#goBack();
    while (world.now() < DISTURBED_MS) {
      await world.sleep(500 + world.upTo(4_000));
      const [what, machine, ms] = [world.upTo(5), this.#machines[world.upTo(MACHINES)], world.upTo(12_000)];
      if (this.#disturbances >= this.#most || machine === undefined) continue;
      this.#disturbances += 1;
      if (what === 0) machine.kill();
      else if (what === 1) machine.stop(ms);
      else if (what === 2) void machine.drain(world.upTo(5_000));
      else if (what === 3) machine.endClis();
      else this.#away(ms / 2);
    }
    this.servers.comeBack();
  }

  /** Goes back to a copy of the engine's store. */
  async #goBack(): Promise<void> {
    const { world, servers } = this;
    await world.sleep(world.upTo(DISTURBED_MS / 2));
    const restore = servers.backup();
    await world.sleep(500 + world.upTo(8_000));
    if (this.#disturbances >= this.#most) return;
    this.#disturbances += 1;
    this.#away(world.upTo(5_000));
    this.note('its store is an older copy');
    restore();
    this.#logs.clear();
    this.hasGoneBack = true;
  }

  #away(ms: number): void {
    this.note(`the engine is away for ${Math.round(ms)} ms`);
    this.countPoints('away');
    this.servers.leave();
    this.world.after(ms, () => this.servers.comeBack());
  }

  /** Counts where messages are when something happens. */
  countPoints(what: string, sessions: ReadonlySet<string> = new Set(this.sessions)): void {
    for (const [uuid, { step, session = '' }] of this.#steps) {
      if (step === 'over' || !sessions.has(session)) continue;
      this.#count(`${what} after ${step}`);
      if (step === 'settled') this.#steps.set(uuid, { step: 'over', session });
    }
  }

  #count(point: string): void {
    this.points.set(point, (this.points.get(point) ?? 0) + 1);
  }

  /** Waits until every accepted message has settled, and every prompt. */
  async #settle(): Promise<void> {
    const isOver = () => {
      const outcomes = this.#outcomes();
      const isSettled = [...this.#accepted, ...this.#told].every((uuid) => outcomes.has(uuid));
      return isSettled && this.#openPrompts.length === 0;
    };
    const end = this.world.now() + (this.hasGoneBack ? RESTORED_MS : SETTLED_MS);
    while (!isOver() && this.world.now() < end) {
      await this.world.sleep(1_000);
      // A conversation whose workers died too often waits until somebody asks for it.
      for (const session of this.sessions.filter((each) => this.#hasFailed(each)))
        await this.#request(session);
    }
    this.#isSettled = true;
  }

  /** Late writes arrive, and viewers get the rest. */
  async #untilCurrent(): Promise<void> {
    await this.world.sleep(5_000);
    for (let tries = 0; tries < 20 && !this.#gateways.every(({ isCurrent }) => isCurrent); tries += 1)
      await this.world.sleep(1_000);
  }

  /** Answers every prompt: some at once, some when the worker that showed it may be gone. */
  async #answerAll(): Promise<void> {
    const answers = new Map<string, Promise<unknown>>();
    while (!this.#isSettled) {
      for (const [session, prompt] of this.#openPrompts.filter(([, each]) => !answers.has(each))) {
        // Sometimes two people do.
        const people = this.world.chance(0.3) ? [1, 2] : [1];
        answers.set(prompt, Promise.all(people.map(() => this.#answer(session, prompt))));
      }
      await this.world.sleep(LOOK_MS);
    }
    await Promise.all(answers.values());
  }

  /** Answers a prompt until that counts, or somebody else has answered. */
  async #answer(session: string, prompt: string): Promise<void> {
    const { world } = this;
    const before = this.#ownersOf(session);
    await world.sleep(world.upTo(world.chance(0.5) ? 500 : 20_000));
    const isOpen = () => !this.#isSettled && this.#openPrompts.some(([, each]) => each === prompt);
    for (let id = world.uuid(); isOpen(); await world.sleep(500)) {
      const gateway = this.#gateways[world.upTo(2)] as Gateway;
      const asked = this.#ownersOf(session);
      const given = await gateway.answer(session, id, prompt).catch((error: unknown) => {
        this.note(`no answer about the prompt ${short(prompt)}: ${errorText(error)}`);
        return errorCode(error) === 'FLEET_UNANSWERED' ? 'unclear' : false;
      });
      if (given === true) {
        this.note(`the answer to the prompt ${short(prompt)} counts`);
        this.#answered.push(prompt);
        const when = this.#ownersOf(session) > asked ? 'during' : asked > before ? 'after' : 'without';
        this.#count(`answer ${when} a take-over`);
        return;
      }
      if (given === false) id = world.uuid();
    }
  }

  /** How many owners a conversation has had. */
  #ownersOf(session: string): number {
    return this.servers.part({ session, part: 'epoch' }).length;
  }

  #hasFailed(session: string): boolean {
    const { value } = this.servers.records.find(session);
    return isObject(value) && value.failure !== undefined;
  }

  async #within(work: Promise<unknown>, what: string): Promise<void> {
    if (!(await within(work, DISTURBED_MS + BLACKOUT_MS + SETTLED_MS, this.world))) this.fails(what);
  }

  /** The stored events of a conversation. */
  entries(session: string): readonly LogEntry[] {
    return this.#log(session).entries;
  }

  #log(session: string): KnownLog {
    const log = this.#logs.get(session) ?? new KnownLog(this.servers, session);
    this.#logs.set(session, log);
    return log.read();
  }

  get #known(): readonly KnownLog[] {
    return this.sessions.map((session) => this.#log(session));
  }

  /** The open prompts, each with its conversation. */
  get #openPrompts(): readonly (readonly [string, string])[] {
    return this.sessions.flatMap((session) =>
      this.#log(session).open.map((prompt) => [session, prompt] as const),
    );
  }

  /** The messages that told a CLI about an answer. */
  get #told(): readonly string[] {
    return this.#known.flatMap(({ told }) => [...told]);
  }

  /** How messages ended, each as often as that was stored. */
  #outcomes(): ReadonlyMap<string, readonly unknown[]> {
    return new Map(this.#known.flatMap(({ outcomes }) => [...outcomes]));
  }

  /** Accepted messages of which nobody can tell whether they ran. */
  get #unknown(): readonly string[] {
    const outcomes = this.#outcomes();
    return this.#accepted.filter((uuid) => outcomes.get(uuid)?.some(isUnknown));
  }

  #checkMessages(): void {
    const { effects } = this.outside;
    const outcomes = this.#outcomes();
    for (const uuid of new Set([...this.#accepted, ...this.#told])) {
      const settled = outcomes.get(uuid) ?? [];
      const times = effects.get(uuid) ?? 0;
      if (settled.length !== 1) this.fails(`${short(uuid)} was accepted and settled ${settled.length} times`);
      if (times === 0 && !settled.some(isUnknown)) this.fails(`${short(uuid)} was accepted and never ran`);
    }
    for (const [uuid, times] of effects) if (times > 1) this.fails(`${short(uuid)} ran ${times} times`);
    for (const { ids } of this.requests) {
      const ran = ids.filter((id) => effects.has(id));
      if (ran.length > 1) this.fails(`one request ran under ${ran.length} ids: ${ran.map(short).join(', ')}`);
    }
  }

  /** An open prompt can be answered until it is settled, by one answer. */
  #checkPrompts(): void {
    for (const { prompts } of this.#known)
      for (const [prompt, known] of prompts) {
        const settled = known.filter((each) => each !== 'open');
        if (settled.join() !== 'answered')
          this.fails(`the prompt ${short(prompt)} was ${settled.join(', ') || 'never answered'}`);
        const answers = this.#answered.filter((each) => each === prompt).length;
        if (answers > 1) this.fails(`${answers} answers to the prompt ${short(prompt)} counted`);
      }
  }

  /** Ends everything in order; nothing may be left. */
  async #end(): Promise<void> {
    await this.#within(Promise.all(this.#machines.map((machine) => machine.end())), 'a worker does not end');
    await Promise.all(this.#gateways.map((gateway) => gateway.end()));
    await this.world.sleep(LONGEST_TIMER_MS);
    const { used, leases } = this.servers;
    if (used > 0) this.fails(`${used} subscriptions and readers are left in the engine`);
    const left = [...leases.entries.values()].filter(({ value }) => value !== undefined);
    if (left.length > 0) this.fails(`leases are left: ${left.map(({ key }) => key).join(', ')}`);
    for (const [name, timers] of [...this.#machines, ...this.#gateways].map((each) => each.left))
      if (timers > 0) this.fails(`${name} has ${timers} timers left`);
  }

  #countEvents(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const session of this.sessions)
      for (const entry of this.entries(session)) {
        const kind = kindOf(eventOf(entry));
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
    return counts;
  }
}

/** The first answer; an error only if there is none, and the one that is no refusal if there is one. */
async function answerOf(asked: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(asked);
  const errors = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (errors.length < results.length) return;
  throw errors.find((error) => !REFUSALS.has(String(errorCode(error)))) ?? errors[0];
}

/** The codes of errors that say that a message did not run, and never will. */
const REFUSALS: ReadonlySet<string> = new Set(['FLEET_NO_WORKER', 'STORE_FAILED']);

function isUnknown(outcome: unknown): boolean {
  return isObject(outcome) && outcome.kind === 'unknown';
}

function kindOf(event: unknown): string {
  if (!isObject(event)) return 'unreadable';
  const { kind, from, frame } = event;
  return kind === 'line' && isObject(frame) ? `${String(from)} ${String(frame.type)}` : String(kind);
}
