import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { ControlPeer } from '../../../wire/peer/control-peer.js';
import type { ControlRequest, HostFrame } from '../../../wire/protocol/catalog/frame-types.js';
import type { HostMessage } from '../../../wire/protocol/catalog/types.js';
import { encodeObject } from '../../../wire/protocol/encode.js';
import { isObject, type RequestBody, type WireObject } from '../../../wire/protocol/frames.js';
import { LineReader } from '../../../wire/transport/line-reader.js';
import type { Clock } from '../../../wire/util/clock.js';
import { connectServers } from './asking/emulated-servers.js';
import { HostRequest } from './asking/host-request.js';
import type { AskOptions, Cli } from './cli.js';
import { type Intake, takeIn } from './pipes/line-intake.js';
import { type Drip, Outlet } from './pipes/outlet.js';
import type { CliPipes, ExitStatus } from './pipes/pipes.js';
import { PeerLine } from './pipes/pipes.js';
import { COSTS } from './program/resumed-session.js';
import type { Transcript } from './program/transcript.js';
import { emulatedPatches } from './requests/emulated-patches.js';
import { handlers } from './requests/handlers.js';
import { patchedHandler } from './requests/patched-requests.js';
import type { ScenarioFailure } from './scenario/failures.js';
import { Inspector } from './scenario/inspector.js';
import { plainText } from './scenario/match.js';
import type { SessionState } from './session-state.js';
import { perform } from './steps/step.js';
import { Turn } from './turns/emulated-turn.js';
import type { Script, Taken } from './turns/scenario-progress.js';
import { TurnQueue } from './turns/turn-queue.js';
import type { BadLine, Traits } from './versions/traits.js';

/** What an {@link Emulator} is made of. */
export interface EmulatorParts {
  readonly pipes: CliPipes;
  /** The emulated version. */
  readonly traits: Traits;
  readonly script: Script;
  readonly state: SessionState;
  readonly clock: Clock;
  /** Whether the host's output is checked against the catalog. */
  readonly strict: boolean;
  /** Whether every line from the host is kept, for tests. */
  readonly keepsLines?: boolean;
  /** Stores the conversation: user messages as they arrive, model output and tool results. */
  readonly transcript?: Pick<Transcript, 'add' | 'end'> | undefined;
}

/** One emulated CLI process: lines in, lines out, an exit code. */
export class Emulator implements Cli {
  readonly traits: Traits;
  readonly state: SessionState;
  readonly clock: Clock;
  readonly turns: TurnQueue;
  /** Every line received, if they are kept. */
  readonly lines: string[] = [];
  /** Every object received, if they are kept. */
  readonly received: HostFrame[] = [];
  readonly #parts: EmulatorParts;
  readonly #outlet: Outlet;
  readonly #reader: LineReader;
  readonly #peerLine: PeerLine;
  readonly #peer: ControlPeer;
  readonly #inspector: Inspector | undefined;
  readonly #exit = new AbortController();
  readonly #inputEnd = new AbortController();
  readonly #prompts = new Map<string, ControlRequest<RequestBody>>();
  readonly #ignored = new Set<string>();
  #lastId = '';
  #leaveCode: number | undefined;

  constructor(parts: EmulatorParts) {
    this.#parts = parts;
    // Many requests can be in progress at once.
    setMaxListeners(0, this.#exit.signal);
    this.traits = parts.traits;
    this.state = parts.state;
    this.clock = parts.clock;
    this.#outlet = new Outlet(parts.pipes.stdout, parts.clock, () => this.#loseReader());
    // The CLIs skip no line, however long it is.
    this.#reader = new LineReader(parts.pipes.stdin, { maxLineLength: Number.POSITIVE_INFINITY });
    this.#peerLine = new PeerLine((line) => this.#outlet.write(`${line}\n`));
    this.#peer = new ControlPeer(this.#peerLine, {
      clock: parts.clock,
      makeId: () => this.#newId(),
      // At the end of its input, a CLI silently drops its prompts.
      mayCancel: () => !this.#inputEnd.signal.aborted,
    });
    this.#inspector = parts.strict ? this.#makeInspector(parts) : undefined;
    this.turns = new TurnQueue(this, parts.script, {
      onIdle: () => this.#leaveIfDone(),
      onTaken: ({ raw, uuid }) =>
        parts.transcript?.add(
          { type: 'user', message: raw.message, uuid: uuid ?? randomUUID() },
          this.state.title,
        ),
    });
    parts.pipes.onSignal((signal) => this.#takeSignal(signal));
  }

  get exited(): AbortSignal {
    return this.#exit.signal;
  }

  get openPrompts(): readonly ControlRequest<RequestBody>[] {
    return [...this.#prompts.values()];
  }

  /** Plays the start steps, then reads. */
  async start(): Promise<void> {
    this.#peer.start();
    await this.#aside(this.#parts.script.start, 'the start');
    if (this.exited.aborted) return;
    // Command-line servers are initialized immediately, whether or not the host sends `initialize`;
    // in-process ones only on some versions.
    void connectServers(this, ({ kind }) => kind === 'process' || this.traits.greetsAtStart);
    // In-memory pipes deliver synchronously; a process would never get an answer while it is still asking.
    this.#reader.start((lines) => {
      queueMicrotask(() => {
        for (const line of lines) this.#take(line);
      });
    });
    await this.#reader.done;
    this.#inputEnd.abort(new Error('the input ended'));
    if (!this.turns.busy) this.#leaveIfDone();
  }

  async send(message: WireObject): Promise<void> {
    const stamp = this.traits.detailed && isTalk(message) ? { timestamp: new Date().toISOString() } : {};
    const full: WireObject = { session_id: this.state.sessionId, uuid: randomUUID(), ...stamp, ...message };
    if (full.type === 'result') this.state.lastResultIsError = full.is_error === true;
    if (full.type === 'result') this.#keepCosts();
    const isKept = (isTalk(full) && full.isReplay !== true) || isObject(full.deferred_tool_use);
    if (isKept) this.#parts.transcript?.add(full, this.state.title);
    await this.#outlet.write(`${encodeObject(full)}\n`);
  }

  /** Before the result: a transcript that ends with a result has a deferred call. */
  #keepCosts(): void {
    const { traits, state } = this;
    if (!traits.continuesCosts) return;
    const { totalCost } = state;
    const message = { totalCost, calls: Object.fromEntries(state.calls) };
    this.#parts.transcript?.add({ type: COSTS, message }, state.title);
  }

  async write(chunk: string | Uint8Array): Promise<void> {
    await this.#outlet.write(chunk);
  }

  async ask(
    body: RequestBody,
    { signal, deadlineMs = Number.POSITIVE_INFINITY }: AskOptions = {},
  ): Promise<unknown> {
    const signals = [this.#inputEnd.signal, ...(signal === undefined ? [] : [signal])];
    const answer = this.#peer.request(body, { signal: AbortSignal.any(signals), deadlineMs });
    const id = this.#lastId;
    this.#inspector?.asked(id, body);
    if (body.subtype === 'can_use_tool') {
      this.#prompts.set(id, { type: 'control_request', request_id: id, request: body });
    }
    try {
      return (await answer).value;
    } finally {
      this.#prompts.delete(id);
    }
  }

  fail(failure: ScenarioFailure): void {
    this.#parts.script.fail(failure);
  }

  exit({ code = null, signal = null }: Partial<ExitStatus>): void {
    if (this.exited.aborted) return;
    // First of all: what the end cancels would still be told to the host.
    this.#outlet.shut();
    this.#peerLine.shut();
    this.#exit.abort(new Error('the emulated process is over'));
    this.#reader.destroy();
    this.#parts.transcript?.end({ isKilled: signal === 'SIGKILL' });
    this.#parts.pipes.exit({ code, signal });
  }

  leave({ idle, busy }: { readonly idle: number; readonly busy: number }): void {
    this.#leaveCode = this.turns.busy ? busy : idle;
    this.turns.clear();
    this.turns.interrupt();
    if (!this.turns.busy) this.#leaveIfDone();
  }

  stderr(text: string): void {
    this.#parts.pipes.stderr.write(text);
  }

  drip(drip: Drip | undefined): void {
    this.#outlet.drip = drip;
  }

  stopReading(): void {
    this.#reader.pause();
  }

  ignoreSignal(signal: string): void {
    this.#ignored.add(signal);
  }

  #take(line: string): void {
    if (this.exited.aborted) return;
    const intake = takeIn(line);
    if (this.#parts.keepsLines === true) this.#keep(line, intake.raw);
    switch (intake.kind) {
      case 'bad':
        this.#takeBad(intake.fault, line, intake.raw);
        return;
      case 'request':
        this.#takeRequest(intake);
        return;
      case 'answer':
        this.#inspector?.answer(intake.raw, intake.id);
        this.#peerLine.deliver(line);
        return;
      case 'user':
        this.#takeUser(intake.raw, intake.content);
        return;
      case 'nothing':
    }
  }

  #keep(line: string, raw: WireObject | undefined): void {
    this.lines.push(line);
    if (raw !== undefined) this.received.push(raw as HostFrame);
  }

  #takeBad(fault: BadLine, line: string, raw: WireObject | undefined): void {
    const fatal = this.traits.endsOn(fault);
    if (fault === 'environment' && !fatal && raw !== undefined) this.#inspector?.message(raw);
    else this.#inspector?.badLine(fault, line);
    if (!fatal) return;
    this.stderr(`Error parsing streaming input line (${fault}): ${line.slice(0, 200)}\n`);
    this.exit({ code: 1 });
  }

  #takeUser(raw: WireObject, content: unknown): void {
    this.#inspector?.message(raw);
    this.state.initialized = true;
    const uuid = typeof raw.uuid === 'string' ? raw.uuid : undefined;
    void this.turns.receive({ uuid, text: plainText(content), raw: raw as HostMessage<'user'> });
  }

  #takeRequest({ id, body, raw }: Extract<Intake, { kind: 'request' }>): void {
    const request = new HostRequest(id, body, {
      namesErrorCodes: this.traits.namesErrorCodes,
      write: (text) => void this.#outlet.write(`${text}\n`),
    });
    const taken = this.#parts.script.takeRequest(request);
    this.#inspector?.request(raw, request, taken !== undefined);
    void (taken === undefined ? this.#answerUsually(request) : this.#answerByScript(request, taken));
  }

  async #answerByScript(request: HostRequest, { steps, where }: Taken): Promise<void> {
    await this.#aside(steps, where, request);
    if (!request.answered && !this.exited.aborted) await this.#answerUsually(request);
  }

  async #answerUsually(request: HostRequest): Promise<void> {
    const { subtype } = request;
    const patched = this.state.patched ? patchedHandler(request) : undefined;
    const handler = patched ?? (this.#serves(subtype) ? handlers[subtype] : undefined);
    if (handler !== undefined) await handler(request, this);
    else if (this.traits.refusesUnknownRequests || this.state.patched) {
      request.refuse(`Unsupported control request subtype: ${subtype}`, 'unsupported_request');
    }
  }

  /** Plays steps outside turns; only the end of the process stops them. */
  async #aside(steps: Taken['steps'], where: string, request?: HostRequest): Promise<void> {
    const turn = new Turn([], this.clock.now());
    const stop = () => turn.interrupt();
    this.exited.addEventListener('abort', stop, { once: true });
    try {
      await perform(steps, { cli: this, turn, request, where });
    } catch (error) {
      if (!turn.interrupted) this.fail({ step: where, expected: 'steps to be played', got: String(error) });
    }
    this.exited.removeEventListener('abort', stop);
  }

  #leaveIfDone(): void {
    if (!this.#inputEnd.signal.aborted && this.#leaveCode === undefined) return;
    const code = this.#leaveCode ?? (this.state.lastResultIsError ? 1 : 0);
    void this.#outlet.idle.then(() => this.exit({ code }));
  }

  #takeSignal(signal: string): void {
    if (this.#ignored.has(signal)) return;
    if (signal === 'SIGTERM') this.exit({ code: 143 });
    else if (signal === 'SIGINT' && !this.traits.sigintGivesResult) this.exit({ code: 0 });
    else if (signal === 'SIGINT') this.leave({ idle: 0, busy: 0 });
    else if (signal === 'SIGHUP' && this.traits.endsOnSighup) this.exit({ code: 129 });
    else this.exit({ signal });
  }

  /** Only own properties count, whatever a host calls its request. */
  #serves(subtype: string): boolean {
    return Object.hasOwn(handlers, subtype) && this.traits.serves(subtype);
  }

  #isPatchedIn(subtype: string): boolean {
    return (
      this.state.patched && emulatedPatches.some(({ serves }) => serves.some((each) => each === subtype))
    );
  }

  #makeInspector({ traits, script, state }: EmulatorParts): Inspector {
    return new Inspector({
      addressee: { traits, state },
      serves: (subtype) => this.#serves(subtype) || this.#isPatchedIn(subtype),
      fail: (failure) => script.fail(failure),
    });
  }

  /** When nobody reads their output any more, old CLIs die; others continue until their input ends. */
  #loseReader(): void {
    if (!this.traits.survivesLostReader) this.exit({ code: 1 });
  }

  #newId(): string {
    this.#lastId = randomUUID();
    return this.#lastId;
  }
}

function isTalk({ type }: WireObject): boolean {
  return type === 'assistant' || type === 'user';
}
