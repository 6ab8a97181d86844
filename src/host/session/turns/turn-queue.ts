import type { WireObject } from '../../../wire/protocol/frames.js';
import { RecentMap } from '../../../wire/util/maps.js';
import type { TurnEvidence, TurnOutcome } from './outcome.js';
import type { SessionTurn } from './turn.js';
import type { InputTokens } from './usage.js';

/** The dependencies of {@link TurnQueue}. */
export interface TurnQueueOptions {
  /** Sends a user message to the CLI; must not throw. */
  readonly send: (turn: SessionTurn) => void;
  /** Returns the outcome of a turn that may no longer be sent; undefined lets it through. */
  readonly refuse?: () => TurnOutcome | undefined;
  /** Creates a turn that the CLI started, and passes it to listeners. */
  readonly openUnasked: () => SessionTurn;
  /** The CLI began a message, and no other, after its turn was stopped. */
  readonly onStoppedBegan?: () => void;
  /** Returns the outcomes of the turns of one result, the leading one first. */
  readonly judge: (result: WireObject, turns: readonly SessionTurn[]) => readonly TurnOutcome[];
  /** Called after each change of what runs or waits. */
  readonly onChange?: () => void;
}

/** How many finished messages are remembered. */
const REMEMBERED = 256;

/**
 * Assigns user messages to results.
 *
 * A CLI that reports the lifecycle of each message (`command_lifecycle`, and `user_message_uuids` on what it sends)
 * gets all messages immediately and may merge several into one turn. Any other CLI gets one at a time: older CLIs silently
 * merge messages that arrive together, or add one that arrives while a tool runs to the running turn, with one result.
 */
export class TurnQueue {
  readonly #options: TurnQueueOptions;
  readonly #onChange: () => void;
  #held: SessionTurn[] = [];
  #sent = new Map<string, SessionTurn>();
  #running: SessionTurn[] = [];
  /** The messages whose turns have ended, as long as a CLI may still refer to them. */
  readonly #over = new RecentMap<string, true>(REMEMBERED);
  #reportsLifecycle = false;
  #heardLifecycle = false;
  #open = false;

  constructor(options: TurnQueueOptions) {
    this.#options = options;
    this.#onChange = options.onChange ?? (() => {});
  }

  /** The running turns; several if the CLI merged their messages. */
  get running(): readonly SessionTurn[] {
    return this.#running;
  }

  /** The turns whose message was sent but that have not begun. */
  get waiting(): readonly SessionTurn[] {
    return [...this.#sent.values()].filter((turn) => !this.#running.includes(turn));
  }

  /** Whether anything runs or waits. */
  get busy(): boolean {
    return this.#running.length > 0 || this.#sent.size > 0 || this.#held.length > 0;
  }

  /** Accepts a user message; it is sent immediately or when its turn comes. */
  add(turn: SessionTurn): void {
    this.#held.push(turn);
    this.#sendNext();
    this.#onChange();
  }

  /** The CLI is ready: held messages are sent, in order. */
  connect(reportsLifecycle: boolean): void {
    this.#reportsLifecycle = reportsLifecycle;
    this.#heardLifecycle = false;
    this.#open = true;
    this.#sendNext();
  }

  /** Withdraws a message that was not sent yet. */
  withdraw(turn: SessionTurn): boolean {
    if (!this.#held.includes(turn)) return false;
    this.#held = this.#held.filter((other) => other !== turn);
    turn.settle({ kind: 'cancelled' });
    this.#onChange();
    return true;
  }

  /** Ends a turn whose message could not be sent, and continues with the next. */
  fail(turn: SessionTurn, outcome: TurnOutcome): void {
    this.#close(turn, outcome);
    this.#sendNext();
    this.#onChange();
  }

  /** Withdraws all messages that were not sent yet, and returns them. */
  withdrawAll(): readonly SessionTurn[] {
    return [...this.#held].filter((turn) => this.withdraw(turn));
  }

  /** Passes a message to its turns. */
  receive(message: WireObject, length: number, kind: string): void {
    switch (kind) {
      case 'command_lifecycle':
        this.#receiveLifecycle(message, length);
        return;
      case 'result':
        this.#receiveResult(message, length);
        return;
      case 'stream_event':
        for (const turn of this.#current) if (turn.takesPartial) turn.push(message, length);
        return;
      case 'system/init':
        this.#begin(message);
    }
    for (const turn of this.#current) turn.push(message, length);
  }

  /** Records what a message says about its turns. */
  note(evidence: Partial<TurnEvidence>): void {
    for (const turn of this.#current) turn.note(evidence);
  }

  /** What the first model call of the running turns has read. */
  noteFirst(firstRequest: InputTokens): void {
    for (const turn of this.#current)
      if (turn.evidence.firstRequest === undefined) turn.note({ firstRequest });
  }

  /** The CLI ended: all its turns end; held messages stay if requested. */
  disconnect(outcome: TurnOutcome, { keepHeld }: { readonly keepHeld: boolean }): void {
    this.#open = false;
    const lost = new Set([...this.#running, ...this.#sent.values(), ...(keepHeld ? [] : this.#held)]);
    if (!keepHeld) this.#held = [];
    this.#running = [];
    this.#sent.clear();
    for (const turn of lost) turn.settle(outcome);
    this.#onChange();
  }

  #sendNext(): void {
    while (this.#open && this.#held.length > 0 && (this.#reportsLifecycle || this.#sent.size === 0)) {
      const turn = this.#held.shift();
      if (turn?.userMessageId === undefined) return;
      const refusal = this.#options.refuse?.();
      if (refusal !== undefined) {
        turn.settle(refusal);
        continue;
      }
      this.#sent.set(turn.userMessageId, turn);
      turn.mark('queued');
      this.#options.send(turn);
    }
  }

  /** The turns of a message that names none. */
  get #current(): readonly SessionTurn[] {
    return this.#running.length > 0 ? this.#running : this.#only();
  }

  /** The message that was sent to a CLI that accepts one at a time. */
  #only(): SessionTurn[] {
    return this.#reportsLifecycle ? [] : [...this.#sent.values()].slice(0, 1);
  }

  #begin(init: WireObject): void {
    // A wrapper may report a newer version than it behaves like: such a CLI starts our turn without announcing it.
    if (!this.#heardLifecycle && this.#sent.size > 0) this.#reportsLifecycle = false;
    const turns = this.#reportsLifecycle ? this.#named(init) : this.#only();
    for (const turn of turns) this.#run(turn);
    if (this.#running.length > 0) return;
    const unasked = this.#options.openUnasked();
    unasked.mark('started');
    this.#running = [unasked];
    this.#onChange();
  }

  #run(turn: SessionTurn): void {
    if (this.#running.includes(turn)) return;
    turn.mark(this.#running.length === 0 ? 'started' : 'merged');
    this.#running.push(turn);
    this.#onChange();
    if (turn.receipt === 'settled' && this.#running.length === 1) this.#options.onStoppedBegan?.();
  }

  #receiveLifecycle(message: WireObject, length: number): void {
    this.#heardLifecycle = true;
    // Whatever was expected of the CLI, it has now shown that it reports.
    this.#reportsLifecycle = true;
    const turn = typeof message.command_uuid === 'string' ? this.#sent.get(message.command_uuid) : undefined;
    if (turn === undefined) return;
    turn.push(message, length);
    if (message.state === 'started') this.#run(turn);
    if (message.state === 'cancelled' && !this.#running.includes(turn))
      this.#close(turn, { kind: 'cancelled' });
  }

  #receiveResult(result: WireObject, length: number): void {
    if (this.#isRepeated(result)) return;
    const named = this.#reportsLifecycle ? this.#named(result) : [];
    const turns = named.length > 0 ? named : this.#current;
    for (const turn of turns) turn.push(result, length);
    const outcomes = this.#options.judge(result, turns);
    for (const [index, turn] of turns.entries()) this.#close(turn, outcomes[index] ?? { kind: 'closed' });
    this.#sendNext();
    this.#onChange();
  }

  #close(turn: SessionTurn, outcome: TurnOutcome): void {
    this.#running = this.#running.filter((other) => other !== turn);
    if (turn.userMessageId !== undefined) {
      this.#sent.delete(turn.userMessageId);
      this.#over.set(turn.userMessageId, true);
    }
    turn.settle(outcome);
  }

  /** A repeated result must not end the current turn. */
  #isRepeated({ user_message_uuids: uuids }: WireObject): boolean {
    return Array.isArray(uuids) && uuids.length > 0 && uuids.every((uuid) => this.#over.has(uuid));
  }

  /** The turns that a message of the CLI names. */
  #named({ user_message_uuids: uuids }: WireObject): SessionTurn[] {
    if (!Array.isArray(uuids)) return [];
    return uuids.flatMap((uuid) => this.#sent.get(uuid) ?? []);
  }
}
