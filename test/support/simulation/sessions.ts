import type {
  ClientName,
  ConsoleState,
  LogEvent,
  OpenParams,
  PromptView,
  SessionSummary,
} from '../../../src/entry/remote/contract.js';
import type { UserInput } from '../../../src/host/session/turns/user-message.js';
import type { RunCommand } from '../../../src/server/console/commands/command.js';
import type { LogEntry } from '../../../src/server/console/log/entry.js';
import { newSummary } from '../../../src/server/console/sessions/new-summary.js';
import type { LeftSession } from '../../../src/server/console/sessions/session-registry.js';
import { expiredPrompts, interruptionEvents } from '../../../src/server/conversation/interruption.js';
import { fateOutcome } from '../../../src/server/conversation/message-fate.js';
import { isWithoutCli } from '../../../src/server/conversation/states.js';
import { applyEntries } from '../../../src/server/conversation/view.js';
import type {
  OwnedSession,
  WorkerSessions,
  WorkerSource,
} from '../../../src/server/fleet/worker/worker-source.js';
import { CoxswainError } from '../../../src/wire/util/errors.js';
import { type CliParts, SimCli, type Tell, TRANSCRIPT_LAG_MS } from './sim-cli.js';
import { SimLog } from './sim-log.js';

const SERIES = 1_000_000;

/** Who tells a CLI that a call is allowed, if its prompt has outlived the CLI that asked. */
export const ITSELF: ClientName = { client: 'server', name: 'Coxswain' };

/** What a simulated session needs. */
export interface SessionParts extends CliParts {
  /** Resolves when the log so far is stored, with whether this worker still owns the session. */
  readonly whenStored: (session: string) => Promise<boolean>;
  /** Resolves when messages may be handed over; there is no slot before. */
  readonly mayHand?: Promise<void> | undefined;
  readonly onChange: (session: SimSession) => void;
  /** Whether a prompt outlives the worker of its CLI. Default: yes. */
  readonly keepsPrompts?: boolean | undefined;
}

/** A session with a CLI, which does with messages what a console's session does. */
export class SimSession implements OwnedSession {
  readonly id: string;
  readonly log: SimLog;
  readonly opened: OpenParams;
  readonly program = { client: undefined, away: false };
  readonly #parts: SessionParts;
  readonly #known: Set<string>;
  readonly #unsettled = new Set<string>();
  /** Those that the CLI has. */
  readonly #given = new Set<string>();
  /** The open prompts, and those of them whose CLI is gone. */
  readonly #prompts = new Map<string, PromptView>();
  readonly #kept = new Set<string>();
  #summary: SessionSummary;
  #cli: SimCli | undefined;
  #viewers = 0;
  #isClosing = false;
  /** Messages that go to the CLI one after the other. */
  #line: Promise<void> = Promise.resolve();

  constructor(
    {
      summary,
      opened,
      disk,
      last,
    }: { summary: SessionSummary; opened: OpenParams; disk: readonly LogEntry[]; last: number },
    known: Iterable<string>,
    parts: SessionParts,
  ) {
    this.id = summary.id;
    this.opened = opened;
    this.#summary = summary;
    this.#parts = parts;
    this.#known = new Set(known);
    this.log = new SimLog(disk, last, parts.process.clock);
  }

  get state(): ConsoleState {
    return this.#summary.state;
  }

  async latest(): Promise<SessionSummary> {
    return this.summary;
  }

  get summary(): SessionSummary {
    const prompts = [...this.#prompts.values()];
    return { ...this.#summary, last: this.log.last, queued: [], prompts, viewers: this.#viewers };
  }

  get viewers(): number {
    return this.#viewers;
  }

  get isOpen(): boolean {
    return this.#cli !== undefined && !this.#cli.isDead;
  }

  /** Whether it has a message, also from an earlier owner. */
  has(uuid: string): boolean {
    return this.#known.has(uuid);
  }

  /** The messages that it has, also from earlier owners. */
  get messages(): ReadonlySet<string> {
    return this.#known;
  }

  interrupted(events: readonly LogEvent[]): void {
    for (const event of events) this.log.add(event);
  }

  /** An earlier owner is gone; these prompts are still open. */
  left(events: readonly LogEvent[], state: ConsoleState, prompts: readonly string[]): void {
    this.interrupted(events);
    for (const id of prompts) {
      this.#kept.add(id);
      this.#show(id);
    }
    this.#note(state);
  }

  start(): void {
    if (this.isOpen) return;
    this.#cli = new SimCli(
      this.#parts,
      (what, uuid, prompt) => this.#heard(what, uuid, prompt),
      () => void this.#recover(),
    );
    this.#isClosing = false;
    this.log.add({ kind: 'header', argv: [] });
    this.#become('idle');
  }

  send(
    _input: UserInput,
    { uuid, whileBusy }: { readonly uuid: string; readonly whileBusy?: string | undefined },
    by: ClientName,
  ): void {
    if (this.state === 'ended' || this.#cli === undefined)
      throw new CoxswainError('SESSION_ENDED', 'The session has no CLI.');
    this.#known.add(uuid);
    this.#unsettled.add(uuid);
    this.log.add({ kind: 'queued', uuid, content: uuid, by });
    this.#become('running');
    const give = () => this.#give(uuid);
    if (whileBusy === 'enqueue') this.#line = this.#line.then(give);
    else void give();
  }

  /** Whether a prompt is open. */
  asks(prompt: string): boolean {
    return this.#prompts.has(prompt);
  }

  /** Whether a prompt can be answered although its CLI is gone. */
  isKept(prompt: string): boolean {
    return this.#kept.has(prompt);
  }

  /** Only the first answer counts. The next CLI is told about one to a prompt of an earlier CLI. */
  answer(prompt: string, by: ClientName): { readonly accepted: boolean; readonly by?: ClientName } {
    if (!this.#prompts.delete(prompt)) return { accepted: false };
    const isKept = this.#kept.delete(prompt);
    this.#parts.onStep('settled', prompt);
    this.log.add({ kind: 'prompt-settled', prompt, how: 'answered', by, answer: { answer: 'allow' } });
    if (isKept) {
      const uuid = this.#parts.world.uuid();
      this.#parts.onStep('told', uuid);
      this.send(prompt, { uuid, whileBusy: 'enqueue' }, ITSELF);
    } else {
      const response = { subtype: 'success', request_id: prompt };
      this.log.add({ kind: 'line', t: 0, from: 'host', frame: { type: 'control_response', response } });
      this.#cli?.answer(prompt);
      this.#become('running');
    }
    return { accepted: true, by };
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#parts.onChange(this);
    // A CLI may finish what it is doing, and has written its transcript when it has ended.
    await this.#pause(this.#parts.world.upTo(1_500));
    this.kill();
    await this.#pause(TRANSCRIPT_LAG_MS);
    this.#become('ended');
  }

  /** Waits for the current turns, and ends the CLI. */
  async park(): Promise<void> {
    while (this.#unsettled.size > 0 && !this.#isClosing) await this.#pause(100);
    this.#isClosing = true;
    this.kill();
    this.#become('parked');
  }

  kill(): void {
    this.#cli?.kill();
  }

  note(level: 'info' | 'warning' | 'error', code: string, text: string): void {
    this.log.add({ kind: 'note', level, code, text });
  }

  viewersChanged(by: 1 | -1): void {
    this.#viewers += by;
  }

  ownerChanged(): void {}

  async #give(uuid: string): Promise<void> {
    const { mayHand, whenStored, onStep, process } = this.#parts;
    const cli = this.#cli;
    if (mayHand !== undefined) await mayHand;
    this.log.add({ kind: 'handed', uuid });
    const isOurs = await whenStored(this.id);
    onStep('handed', uuid);
    // Otherwise the next owner does.
    if (!isOurs || !process.isAlive()) return;
    // The CLI has ended meanwhile: the next one gets it.
    if (cli === undefined || cli.isDead) {
      if (!this.#isClosing) await this.#pause(TRANSCRIPT_LAG_MS).then(() => this.#give(uuid));
      return;
    }
    this.#given.add(uuid);
    this.log.add({ kind: 'line', t: 0, from: 'host', frame: { type: 'user', uuid } });
    onStep('given', uuid);
    cli.write(uuid);
  }

  /** Its CLI has ended without being asked to: a new one gets what the old one had not begun. */
  async #recover(): Promise<void> {
    const left = [...this.#given];
    this.#given.clear();
    for (const prompt of this.#prompts.keys()) this.#kept.add(prompt);
    await this.#pause(TRANSCRIPT_LAG_MS);
    if (this.#isClosing) return;
    const { outside } = this.#parts;
    this.start();
    for (const uuid of left) {
      if (outside.transcript.has(uuid))
        this.#settle(uuid, { kind: 'cli-ended', error: 'It was interrupted.' });
      else void this.#give(uuid);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#parts.process.clock.after(ms, resolve));
  }

  #heard(what: Parameters<Tell>[0], uuid: string, prompt = ''): void {
    if (what === 'asks') {
      const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {} };
      this.#fromCli({ type: 'control_request', request_id: prompt, request });
      this.#show(prompt);
      this.#become('needs-you');
    }
    if (what === 'piece') this.#fromCli({ type: 'stream_event', uuid });
    if (what === 'started')
      this.#fromCli({ type: 'command_lifecycle', command_uuid: uuid, state: 'started' });
    if (what !== 'settled') return;
    this.#fromCli({ type: 'result', subtype: 'success', user_message_uuids: [uuid] });
    this.#settle(uuid, { kind: 'success' });
  }

  #settle(uuid: string, outcome: object): void {
    this.log.add({ kind: 'settled', uuid, outcome });
    this.#parts.onStep('settled', uuid);
    this.#given.delete(uuid);
    this.#unsettled.delete(uuid);
    if (this.#unsettled.size === 0) this.#become('idle');
  }

  #show(id: string): void {
    const at = Math.floor(this.#parts.process.clock.now());
    const prompt: PromptView = {
      kind: 'permission',
      id,
      at,
      headline: 'Bash',
      tool: 'Bash',
      input: {},
      choices: [],
    };
    this.#prompts.set(id, prompt);
    this.#parts.onStep('prompted', id);
    this.log.add({ kind: 'prompt', prompt });
  }

  #fromCli(frame: object): void {
    this.log.add({ kind: 'line', t: 0, from: 'cli', frame });
  }

  #become(state: ConsoleState): void {
    if (this.#summary.state === state) return;
    this.#note(state);
    this.#parts.onChange(this);
  }

  #note(state: ConsoleState): void {
    if (this.#summary.state === state) return;
    this.#summary = { ...this.#summary, state };
    this.log.add({ kind: 'state', state });
  }
}

/** The sessions of a simulated worker. */
export class SimSessions implements WorkerSessions {
  readonly #sessions = new Map<string, SimSession>();
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    // Its keeper ends the CLIs of a killed process a moment later.
    parts.process.onKill(() => parts.world.after(parts.world.upTo(300), () => this.killClis()));
  }

  get all(): readonly SimSession[] {
    return [...this.#sessions.values()];
  }

  known(id: string | undefined): SimSession | undefined {
    return this.#sessions.get(String(id));
  }

  async find(id: string | undefined): Promise<SimSession> {
    const session = this.known(id);
    if (session === undefined) throw new CoxswainError('SESSION_UNKNOWN', 'There is no such session.');
    return session;
  }

  open(opened: OpenParams, by: ClientName): SimSession {
    const id = String(opened.id);
    const known = this.#sessions.get(id);
    if (known !== undefined) {
      known.start();
      return known;
    }
    const given = { now: this.#parts.world.now(), sessionBudgetUsd: undefined, repository: undefined };
    const summary = { ...newSummary(id, opened, { ...by, kind: 'program' }, given), conversation: id };
    const session = new SimSession({ summary, opened, disk: [], last: 0 }, [], this.#parts);
    this.#sessions.set(id, session);
    session.start();
    return session;
  }

  async takeOver(taken: LeftSession): Promise<SimSession> {
    const { summary: recorded, opened, events, messages, prompts, why } = taken;
    const disk: LogEntry[] = [];
    for await (const entry of events) disk.push(entry);
    const last = (Math.floor(Math.max(disk.at(-1)?.n ?? 0, recorded.last) / SERIES) + 1) * SERIES;
    const summary = applyEntries(recorded, disk);
    const { unsettled } = messages;
    const asked = this.#parts.keepsPrompts === false ? [] : prompts.open.map(({ id }) => id);
    const kept = [...messages.unsent.map(({ uuid }) => uuid), ...asked];
    const outcomeOf = (uuid: string) => fateOutcome(messages.fateOf(uuid), why);
    // Like a console: nothing has happened to one that had no CLI, and it has none until it is reopened.
    const clean = isWithoutCli(summary.state) && unsettled.length === 0;
    const news = clean
      ? expiredPrompts(summary, kept)
      : interruptionEvents(summary, { kept, why, unsettled, outcomeOf });
    const state = summary.state === 'ended' ? 'ended' : 'parked';
    const left = { summary: { ...summary, prompts: [], queued: [], viewers: 0 }, opened, disk, last };
    const session = new SimSession(left, messages.outcomes.keys(), this.#parts);
    session.left(news, state, asked);
    this.#sessions.set(summary.id, session);
    return session;
  }

  async reopen(session: OwnedSession): Promise<void> {
    const { clock } = this.#parts.process;
    await new Promise<void>((resolve) => void clock.after(this.#parts.world.upTo(300), resolve));
    this.#sessions.get(session.id)?.start();
  }

  async park(session: OwnedSession): Promise<void> {
    await this.#sessions.get(session.id)?.park();
  }

  async end(session: OwnedSession): Promise<void> {
    await this.#sessions.get(session.id)?.close();
  }

  async remove(session: OwnedSession): Promise<void> {
    this.#sessions.delete(session.id);
  }

  async close(): Promise<void> {
    this.killClis();
  }

  killClis(): void {
    for (const session of this.all) session.kill();
  }
}

/** The source of a simulated worker's sessions, and what its commands do. */
export function simSource(sessions: SimSessions): WorkerSource {
  const run: RunCommand = async ({ id, name, session, params }, { by }) => {
    if (name === 'rename') return {};
    if (name === 'open') {
      const opened = sessions.open(params as OpenParams, by);
      return { session: opened.id, cliVersion: undefined, info: {} };
    }
    const found = await sessions.find(session);
    if (name === 'answer') return answer(sessions, found, { ...(params as { readonly prompt: string }), by });
    if (name !== 'send') throw new CoxswainError('COMMAND_INVALID', `${name} is not simulated.`);
    if (found.has(id)) return { uuid: id };
    if (!found.isOpen) await sessions.reopen(found);
    found.send(id, { uuid: id, whileBusy: (params as { whileBusy?: string }).whileBusy }, by);
    return { uuid: id };
  };
  return { sessions, roots: ['/'], run, open: async () => {} };
}

/** An answer to a prompt whose CLI is gone goes to the next one. */
async function answer(
  sessions: SimSessions,
  session: SimSession,
  { prompt, by }: { readonly prompt: string; readonly by: ClientName },
) {
  if (session.isKept(prompt) && !session.isOpen) await sessions.reopen(session);
  return session.answer(prompt, by);
}

/** Enough of an id to tell it from others. */
export function short(id: string): string {
  return id.slice(0, 8);
}
