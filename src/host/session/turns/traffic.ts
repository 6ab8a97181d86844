import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Transport } from '../../../wire/transport/transport.js';
import { AsyncQueue } from '../../../wire/util/async-queue.js';
import type { Clock } from '../../../wire/util/clock.js';
import { Flow } from '../../core/messages/flow.js';
import { type BufferLimits, MessageBuffer } from '../../core/messages/message-buffer.js';
import type { SessionOptions } from '../session-options.js';
import { Activity, type Excuse } from './activity.js';
import { outcomeOf, type TurnOutcome } from './outcome.js';
import { type SettledOptions, Settling } from './settling.js';
import { checkOutput, type ValidateOutput } from './structured-output.js';
import { SessionTurn, type Turn } from './turn.js';
import { TurnQueue } from './turn-queue.js';
import { NO_USAGE, type TurnUsage, UsageMeter } from './usage.js';
import { Watchdog } from './watchdog.js';

/** How much may wait, and how long. */
export interface TrafficLimits extends BufferLimits {
  readonly hardCharacters: number;
  readonly stallMs: number;
}

const DEFAULT_LIMITS = { messages: 2_500, characters: 2 * 1024 * 1024, hardCharacters: 256 * 1024 * 1024 };

/** The limits that go with a set of options. */
export function trafficLimits({ buffer = {}, stallMs }: SessionOptions): TrafficLimits {
  return {
    messages: buffer.messages ?? DEFAULT_LIMITS.messages,
    characters: buffer.characters ?? DEFAULT_LIMITS.characters,
    hardCharacters: buffer.hardCharacters ?? DEFAULT_LIMITS.hardCharacters,
    stallMs: stallMs ?? Number.POSITIVE_INFINITY,
  };
}

/** What {@link Traffic} works with. */
export interface TrafficOptions {
  readonly limits: TrafficLimits;
  readonly clock: Clock;
  readonly send: (turn: SessionTurn) => void;
  /** Says how a turn ends that may not be sent any more; undefined lets it go. */
  readonly refuse: () => TurnOutcome | undefined;
  readonly cancel: (turn: SessionTurn) => Promise<boolean>;
  readonly onUnasked: (turn: Turn) => void;
  readonly onOverflow: (buffered: number) => void;
  readonly onStall: (turns: readonly SessionTurn[], quietMs: number) => void;
}

/** A pause with nothing drained for this long is lifted, by one more buffer's worth at a time. */
const LIFT_AFTER_MS = 5_000;
/** How many turns that nobody asked for wait for somebody who looks at them. */
const UNASKED_KEPT = 16;

/** The messages of a session: to their turns, to other readers, and never in the way of control traffic. */
export class Traffic {
  readonly #options: TrafficOptions;
  readonly #queue: TurnQueue;
  readonly #activity = new Activity();
  readonly #meter = new UsageMeter();
  readonly #settling: Settling;
  readonly #watchdog: Watchdog;
  readonly #flow: Flow;
  readonly #taps = new Set<MessageBuffer>();
  #unasked = new AsyncQueue<Turn>(UNASKED_KEPT);
  #over: TurnOutcome | undefined;
  #validate: ValidateOutput | undefined;

  constructor(options: TrafficOptions) {
    this.#options = options;
    const { clock, limits } = options;
    this.#flow = new Flow({
      clock,
      hardLimit: limits.hardCharacters,
      liftAfterMs: LIFT_AFTER_MS,
      liftStep: limits.characters,
      onOverflow: options.onOverflow,
    });
    this.#queue = new TurnQueue({
      send: options.send,
      refuse: options.refuse,
      openUnasked: () => this.#openUnasked(),
      judge: (result, turns) => this.#judge(result, turns),
      onChange: () => this.#changed(),
    });
    this.#settling = new Settling({
      isBusy: () => this.#queue.busy || this.#activity.backgroundTasks > 0,
      describe: () =>
        `${this.#queue.running.length} turns run, ${this.#queue.waiting.length} wait, ${this.#activity.backgroundTasks} tasks run in the background`,
      clock,
    });
    this.#watchdog = new Watchdog({
      clock,
      stallMs: limits.stallMs,
      shouldHear: () => this.#awaited.length > 0 && this.#activity.excuse === undefined,
      onStall: (quietMs) => options.onStall(this.#awaited, quietMs),
    });
  }

  get running(): readonly SessionTurn[] {
    return this.#queue.running;
  }

  /** Turns that were sent and have not begun. */
  get waiting(): readonly SessionTurn[] {
    return this.#queue.waiting;
  }

  /** Whether any turn runs or waits. */
  get busy(): boolean {
    return this.#queue.busy;
  }

  get usage(): TurnUsage {
    return this.#meter.total;
  }

  get excuse(): Excuse | undefined {
    return this.#activity.excuse;
  }

  get unasked(): AsyncIterable<Turn> {
    return this.#unasked;
  }

  /** From now on a success must carry an output that passes. */
  expectOutput(validate: ValidateOutput): void {
    this.#validate = validate;
  }

  /** Takes over a new CLI's transport; its totals begin at nothing. */
  attach(transport: Transport): void {
    this.#over = undefined;
    this.#meter.restart();
    this.#activity.reset();
    this.#settling.restart();
    this.#flow.attach(transport);
  }

  /** The CLI is ready for user messages. */
  connected(reportsLifecycle: boolean): void {
    this.#queue.connect(reportsLifecycle);
  }

  /** The CLI is gone: every reader and every turn hears of it. */
  gone(outcome: TurnOutcome, options: { readonly keepHeld: boolean; readonly discard: boolean }): void {
    this.#over = outcome;
    if (options.discard) for (const reader of [...this.#queue.running, ...this.#taps]) reader.discard();
    this.#flow.stop();
    this.#watchdog.stop();
    this.#activity.reset();
    this.#queue.disconnect(outcome, options);
    for (const tap of [...this.#taps]) this.#endTap(tap, outcome);
    this.#taps.clear();
    if (outcome.kind === 'closed') this.#endUnasked();
    this.#settling.end();
  }

  /** Makes a turn for a user message and sends it when its time comes. */
  add(userMessageId: string, userMessage: WireObject): SessionTurn {
    const turn = this.#turn(userMessageId, userMessage);
    this.#queue.add(turn);
    return turn;
  }

  /** The turns that run now are about to be interrupted. */
  noteInterrupt(): void {
    for (const turn of this.#queue.running) turn.noteInterrupt();
  }

  withdraw(turn: SessionTurn): boolean {
    return this.#queue.withdraw(turn);
  }

  /** Ends a turn whose message could not be sent. */
  fail(turn: SessionTurn, outcome: TurnOutcome): void {
    this.#queue.fail(turn, outcome);
  }

  withdrawAll(): readonly SessionTurn[] {
    return this.#queue.withdrawAll();
  }

  receive(message: WireObject, length: number): void {
    this.#activity.note(message);
    if (message.type === 'system' && message.subtype === 'task_notification') this.#settling.expectTurn();
    this.#queue.receive(message, length);
    for (const tap of this.#taps) tap.push(message, length);
    if (this.#awaited.length > 0) this.#watchdog.heard();
    this.#settling.changed();
  }

  /** A host request is under way: reading goes on until it has ended. */
  requestBegan(): void {
    this.#flow.requestBegan();
  }

  /** A host request was answered or given up. */
  requestEnded(): void {
    this.#flow.requestEnded();
  }

  /** A request of the CLI waits for the host. */
  cliRequestOpened(): void {
    this.#activity.requestOpened();
  }

  /** One of them waits no longer. */
  cliRequestClosed(): void {
    this.#activity.requestClosed();
    if (this.#awaited.length > 0) this.#watchdog.heard();
  }

  /** Every message from now on, for one reader. */
  messages(): AsyncIterable<WireObject> {
    const tap = this.#buffer();
    if (this.#over === undefined) this.#taps.add(tap);
    else this.#endTap(tap, this.#over);
    return tap;
  }

  settled(options?: SettledOptions): Promise<void> {
    return this.#settling.wait(options);
  }

  /** The turns of which something should be heard: those that run, else those that were sent. */
  get #awaited(): readonly SessionTurn[] {
    return this.#queue.running.length > 0 ? this.#queue.running : this.#queue.waiting;
  }

  #endTap(tap: MessageBuffer, outcome: TurnOutcome): void {
    tap.end(outcome.kind === 'cli-ended' ? outcome.error : undefined);
  }

  /** Its readers see the end; a session that is opened again begins a new one. */
  #endUnasked(): void {
    this.#unasked.end();
    this.#unasked = new AsyncQueue(UNASKED_KEPT);
  }

  #changed(): void {
    if (this.#awaited.length > 0) this.#watchdog.heard();
    this.#settling.changed();
  }

  #openUnasked(): SessionTurn {
    const turn = this.#turn(undefined, undefined);
    this.#settling.turnCame();
    this.#unasked.push(turn);
    this.#options.onUnasked(turn);
    return turn;
  }

  #turn(userMessageId: string | undefined, message: WireObject | undefined): SessionTurn {
    return new SessionTurn({
      userMessageId,
      userMessage: message,
      buffer: this.#buffer(),
      cancel: this.#options.cancel,
    });
  }

  #buffer(): MessageBuffer {
    return new MessageBuffer(this.#options.limits, {
      added: (length) => this.#flow.added(length),
      removed: (length) => this.#flow.removed(length),
      full: (buffer) => this.#flow.full(buffer),
      drained: (buffer) => this.#flow.drained(buffer),
      detached: (buffer) => this.#taps.delete(buffer),
    });
  }

  /** The leading turn carries the cost; turns that were merged into it had none of their own. */
  #judge(result: WireObject, turns: readonly SessionTurn[]): readonly TurnOutcome[] {
    const usage = this.#meter.take(result);
    return turns.map((turn, index) =>
      checkOutput(
        outcomeOf(result, { ...turn.evidence, usage: index === 0 ? usage : NO_USAGE }),
        this.#validate,
      ),
    );
  }
}
