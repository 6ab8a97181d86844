import type { CliMessage } from '../../../wire/protocol/catalog/types.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { AsyncQueue } from '../../../wire/util/async-queue.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { HostCore } from '../../core/host-core.js';
import type { MessageBuffer } from '../../core/messages/message-buffer.js';
import type { MessageReceiver } from '../../core/messages/message-dispatcher.js';
import { Activity } from './activity.js';
import { outcomeOf, type TurnOutcome } from './outcome.js';
import { type SettledOptions, Settling } from './settling.js';
import { type CheckOutput, checkOutput } from './structured-output.js';
import { SessionTurn, type Turn } from './turn.js';
import { TurnQueue } from './turn-queue.js';
import { inputOf, NO_USAGE, type TurnUsage, UsageMeter } from './usage.js';
import { Watchdog } from './watchdog.js';

/** The owner of the turns: sends them, and follows them. */
export interface TurnOwner {
  /** Sends a turn's message to the CLI; must not throw. */
  sendTurn(turn: SessionTurn): void;
  /** Returns the outcome of a turn that may no longer be sent; undefined lets it through. */
  refuseTurn(): TurnOutcome | undefined;
  /** Cancels a message that the CLI may have; resolves to whether that worked. */
  cancelTurn(turn: SessionTurn): Promise<boolean>;
  /** Ends a turn in any state; must not throw. */
  stopTurn(turn: SessionTurn): Promise<void>;
  /** The CLI began a message, and no other, after its turn was stopped. */
  stoppedTurnBegan(): void;
  /** The CLI retries a model call. */
  callRetried(retry: WireObject): void;
  /** The CLI reports the usage limits of its account. */
  limitsReported(message: WireObject): void;
  /** Somebody wants the text of a turn as it is written. */
  textWanted(): void;
  /** The CLI started a turn. */
  unaskedTurn(turn: Turn): void;
  /** These turns were silent for too long. */
  turnsStalled(turns: readonly SessionTurn[], quietMs: number): void;
}

/** How a session's turns are watched. */
export interface SessionTurnsOptions {
  readonly clock: Clock;
  /** After how long an unexplained silence counts as stalled; never if infinite. */
  readonly stallMs: number;
  /** Whether every reader gets partial messages; otherwise only those who request them. */
  readonly partial: boolean;
  /** What the conversation had used before. */
  readonly usedBefore?: TurnUsage | undefined;
  /** Whether anybody iterates turns; otherwise they keep no messages. */
  readonly readsTurns: boolean;
}

/** The messages that a reader gets. */
export interface MessagesOptions {
  /** Whether to include partial messages. Default: as set for the session. */
  readonly partial?: boolean | undefined;
}

/** The maximum number of CLI-started turns that wait for a reader. */
const UNASKED_KEPT = 16;

/** Routes the messages of a session to turns and other readers, adds up the costs, and knows when everything is done. */
export class SessionTurns implements MessageReceiver {
  readonly #core: HostCore;
  readonly #owner: TurnOwner;
  readonly #queue: TurnQueue;
  readonly #activity: Activity;
  readonly #meter: UsageMeter;
  readonly #settling: Settling;
  readonly #watchdog: Watchdog | undefined;
  /** The readers of all messages, and whether they want the pieces too. */
  readonly #taps = new Map<MessageBuffer, boolean>();
  readonly #partial: boolean;
  readonly #readsTurns: boolean;
  #unasked = new AsyncQueue<Turn>(UNASKED_KEPT);
  #over: TurnOutcome | undefined;
  #checkOutput: CheckOutput | undefined;

  constructor(
    core: HostCore,
    owner: TurnOwner,
    { clock, stallMs, partial, usedBefore, readsTurns }: SessionTurnsOptions,
  ) {
    this.#core = core;
    this.#meter = new UsageMeter(usedBefore);
    this.#partial = partial;
    this.#readsTurns = readsTurns;
    this.#owner = owner;
    this.#activity = new Activity(core.messages, () => this.#settling.expectTurn());
    this.#queue = new TurnQueue({
      send: (turn) => owner.sendTurn(turn),
      refuse: () => owner.refuseTurn(),
      openUnasked: () => this.#openUnasked(),
      onStoppedBegan: () => owner.stoppedTurnBegan(),
      judge: (result, turns) => this.#judge(result, turns),
      onChange: () => this.#changed(),
    });
    this.#settling = new Settling({
      isBusy: () => this.#queue.busy || this.#activity.backgroundTasks > 0,
      describe: () =>
        `${this.#queue.running.length} turns running, ${this.#queue.waiting.length} waiting, ${this.#activity.backgroundTasks} background tasks`,
      clock,
    });
    if (stallMs !== Number.POSITIVE_INFINITY)
      this.#watchdog = new Watchdog({
        clock,
        stallMs,
        shouldHear: () => this.#awaited.length > 0 && this.#activity.excuse === undefined,
        onStall: (quietMs) => owner.turnsStalled(this.#awaited, quietMs),
      });
    this.#listen();
  }

  get running(): readonly SessionTurn[] {
    return this.#queue.running;
  }

  /** Turns that were sent but have not begun. */
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

  get turnsUsage(): TurnUsage {
    return this.#meter.turns;
  }

  get countsEarlier(): boolean {
    return this.#meter.includesEarlier;
  }

  get unasked(): AsyncIterable<Turn> {
    return this.#unasked;
  }

  /** From now on a success must have a valid output. */
  expectOutput(check: CheckOutput): void {
    this.#checkOutput = check;
  }

  /** A new CLI was launched: whoever reads messages from now on misses none of it. */
  launched(): void {
    this.#over = undefined;
  }

  /** A new CLI started; its totals begin at zero. */
  started(): void {
    if (this.#unasked.over !== undefined) this.#unasked = new AsyncQueue(UNASKED_KEPT);
    this.#meter.restart();
    this.#activity.reset();
    this.#settling.restart();
  }

  /** The CLI is ready for user messages. */
  connected(reportsLifecycle: boolean): void {
    this.#queue.connect(reportsLifecycle);
  }

  /** The CLI is gone: every reader and every turn ends. */
  gone(outcome: TurnOutcome, options: { readonly keepHeld: boolean; readonly discard: boolean }): void {
    this.#over = outcome;
    if (options.discard)
      for (const reader of [...this.#queue.running, ...this.#taps.keys()]) reader.discard();
    this.#watchdog?.stop();
    this.#activity.reset();
    this.#queue.disconnect(outcome, options);
    for (const tap of [...this.#taps.keys()]) endTap(tap, outcome);
    this.#taps.clear();
    // A session that reopens itself continues; any other accepts no turns until it is reopened.
    if (!options.keepHeld) this.#unasked.end();
    this.#settling.end();
  }

  /** Creates a turn for a user message and sends it when its turn comes. */
  add(userMessageId: string, userMessage: WireObject, signal?: AbortSignal): SessionTurn {
    const turn = this.#turn(userMessageId, userMessage);
    if (signal?.aborted === true) turn.settle({ kind: 'aborted', cause: signal.reason });
    else this.#queue.add(turn);
    if (signal?.aborted === false) turn.stopOnAbort(signal);
    return turn;
  }

  /** The running turns are about to be interrupted. */
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

  receive(message: WireObject, length: number, kind: string): void {
    this.#activity.noteMessage(kind);
    this.#queue.receive(message, length, kind);
    if (this.#taps.size > 0) this.#tap(message, length, kind);
    if (this.#watchdog !== undefined) this.#noteActivity();
  }

  /** A request of the CLI waits for the host, which explains the silence. */
  cliRequestOpened(): void {
    this.#activity.requestOpened();
  }

  /** A request is no longer waiting. */
  cliRequestClosed(): void {
    this.#activity.requestClosed();
    this.#noteActivity();
  }

  /** Every message from now on, for one reader. */
  messages({ partial = this.#partial }: MessagesOptions = {}): AsyncIterable<CliMessage> {
    const tap = this.#core.buffer((buffer) => this.#taps.delete(buffer));
    if (this.#over === undefined) this.#taps.set(tap, partial);
    else endTap(tap, this.#over);
    return tap as AsyncIterable<WireObject> as AsyncIterable<CliMessage>;
  }

  get isSettled(): boolean {
    return this.#settling.isSettled;
  }

  settled(options?: SettledOptions): Promise<void> {
    return this.#settling.wait(options);
  }

  /** The turns that should not be silent: the running ones, or else those that were sent. */
  get #awaited(): readonly SessionTurn[] {
    return this.#queue.running.length > 0 ? this.#queue.running : this.#queue.waiting;
  }

  #listen(): void {
    const { messages } = this.#core;
    messages.on('assistant', ({ error, message, parent_tool_use_id: parent }) => {
      if (typeof error === 'string') this.#queue.note({ assistantError: error });
      const firstRequest = isObject(message) && typeof parent !== 'string' ? inputOf(message) : undefined;
      if (firstRequest !== undefined) this.#queue.noteFirst(firstRequest);
    });
    messages.on('rate_limit_event', (message) => {
      const { rate_limit_info: rateLimit } = message;
      if (isObject(rateLimit)) this.#queue.note({ rateLimit });
      this.#owner.limitsReported(message);
    });
    messages.on('system/api_retry', (retry) => this.#owner.callRetried(retry));
    messages.on('system/background_tasks_changed', () => this.#settling.changed());
  }

  #tap(message: WireObject, length: number, kind: string): void {
    for (const [tap, partial] of this.#taps)
      if (partial || kind !== 'stream_event') tap.push(message, length);
  }

  #changed(): void {
    this.#noteActivity();
    this.#settling.changed();
  }

  #noteActivity(): void {
    if (this.#awaited.length > 0) this.#watchdog?.noteActivity();
  }

  #openUnasked(): SessionTurn {
    const turn = this.#turn(undefined, undefined);
    this.#settling.turnCame();
    this.#unasked.push(turn);
    this.#owner.unaskedTurn(turn);
    return turn;
  }

  #turn(userMessageId: string | undefined, message: WireObject | undefined): SessionTurn {
    const cancel = (turn: SessionTurn) => this.#owner.cancelTurn(turn);
    const buffer = this.#core.buffer();
    if (!this.#readsTurns) buffer.leave();
    return new SessionTurn({
      userMessageId,
      userMessage: message,
      buffer,
      partial: this.#partial,
      onStream: () => this.#owner.textWanted(),
      cancel,
      stop: (turn) => this.#owner.stopTurn(turn),
    });
  }

  /** The leading turn carries the cost; turns that were merged into it have none. */
  #judge(result: WireObject, turns: readonly SessionTurn[]): readonly TurnOutcome[] {
    const usage = this.#meter.take(result);
    return turns.map((turn, index) =>
      checkOutput(
        outcomeOf(result, { ...turn.evidence, usage: index === 0 ? usage : NO_USAGE }),
        this.#checkOutput,
      ),
    );
  }
}

function endTap(tap: MessageBuffer, outcome: TurnOutcome): void {
  tap.end(outcome.kind === 'cli-ended' ? outcome.error : undefined);
}
