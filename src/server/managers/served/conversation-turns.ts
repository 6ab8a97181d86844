import type { LogEvent } from '../../../entry/remote/contract.js';
import { outcomeFrom } from '../../../entry/remote/outcome-view.js';
import { type BufferWatcher, MessageBuffer } from '../../../host/core/messages/message-buffer.js';
import { outcomeOf, type TurnOutcome } from '../../../host/session/turns/outcome.js';
import { SessionTurn } from '../../../host/session/turns/turn.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { RecentMap } from '../../../wire/util/maps.js';

/** The dependencies of {@link ConversationTurns}. */
export interface ConversationTurnsParts {
  /** Follows how full the readers' buffers are. */
  readonly watcher: BufferWatcher;
  readonly cancel: (turn: SessionTurn) => Promise<boolean>;
  readonly stop: (turn: SessionTurn) => Promise<void>;
  /** Called when the turn of a message is over. */
  readonly onSettled: (messageId: string, outcome: TurnOutcome) => void;
  /** Called when the CLI has started a turn. */
  readonly onUnasked: (turn: SessionTurn) => void;
}

/** How much a turn keeps for its reader. */
const LIMITS = { messages: 2_500, characters: 2 * 1024 * 1024 };
/** How many results to keep until their messages are known. */
const RESULTS = 16;
/** How many messages to remember that are over. */
const OVER = 1_000;

/** A turn, and whether a CLI has its message. */
interface Followed {
  readonly turn: SessionTurn;
  sent: boolean;
  /** The CLI has the message, but is working on something else. */
  waits: boolean;
}

/** The unsettled turns of a conversation, driven by its log. */
export class ConversationTurns {
  readonly #parts: ConversationTurnsParts;
  readonly #turns = new Map<string, Followed>();
  readonly #results = new RecentMap<string, WireObject>(RESULTS);
  /** Messages that are over: a list may be older than the log. */
  readonly #over = new RecentMap<string, true>(OVER);
  #unasked: SessionTurn | undefined;

  constructor(parts: ConversationTurnsParts) {
    this.#parts = parts;
  }

  /** The turns of user messages, in order. */
  get all(): readonly SessionTurn[] {
    return [...this.#turns.values()].map(({ turn }) => turn);
  }

  /** Adds the turn of a message that is about to be sent, or that somebody else has sent. */
  add(messageId: string): SessionTurn {
    const known = this.#turns.get(messageId);
    if (known !== undefined) return known.turn;
    const turn = this.#make(messageId);
    this.#turns.set(messageId, { turn, sent: false, waits: false });
    return turn;
  }

  /** Adds the turns of messages that wait, as a list says. */
  addWaiting(messageIds: readonly string[]): void {
    for (const messageId of messageIds) if (this.#over.get(messageId) === undefined) this.add(messageId);
  }

  /** Whether the turn is still running or waiting. */
  has(messageId: string): boolean {
    return this.#turns.has(messageId);
  }

  /** A turn is over. */
  settle(messageId: string, outcome: TurnOutcome): void {
    const followed = this.#turns.get(messageId);
    this.#turns.delete(messageId);
    this.#over.set(messageId, true);
    followed?.turn.settle(outcome);
    this.#parts.onSettled(messageId, outcome);
  }

  /** Ends a stopped turn that does not react; the fleet may report its end later. */
  giveUp(turn: SessionTurn): void {
    if (turn.userMessageId !== undefined) this.#turns.delete(turn.userMessageId);
    if (turn === this.#unasked) this.#unasked = undefined;
    turn.settle({ kind: 'interrupted' });
  }

  /** Settles the turns of all messages that wait for their CLI. */
  settleWaiting(outcome: TurnOutcome): readonly string[] {
    const waiting = this.all
      .filter(({ receipt }) => receipt !== 'started' && receipt !== 'merged')
      .map(({ userMessageId }) => String(userMessageId));
    for (const messageId of waiting) this.settle(messageId, outcome);
    return waiting;
  }

  /** Ends all turns: they will get no more events. */
  settleAll(outcome: TurnOutcome): void {
    for (const messageId of [...this.#turns.keys()]) this.settle(messageId, outcome);
    this.#unasked?.settle(outcome);
    this.#unasked = undefined;
  }

  /** Follows an event of the log that is not a message of the CLI. */
  take(event: LogEvent): void {
    if (event.kind === 'queued') this.add(event.uuid);
    if (event.kind === 'settled') {
      const { uuid, outcome } = event;
      const result = outcome.result === undefined ? undefined : this.#results.get(outcome.result);
      this.settle(uuid, outcomeFrom(outcome, result));
    }
    if (event.kind === 'line' && event.from === 'host' && event.frame?.type === 'user')
      this.#sent(String(event.frame.uuid));
    if (event.kind === 'end') this.#cliEnded(new Error(event.end.error ?? 'The CLI ended.'));
  }

  /** Passes a message of the CLI to its turns. */
  hear(message: WireObject, length: number): void {
    if (message.type === 'result') this.#results.set(String(message.uuid), message);
    if (message.type === 'command_lifecycle') this.#noteLifecycle(message);
    const running = [...this.#turns.values()].filter(({ sent, waits }) => sent && !waits);
    const isBegin = message.type === 'system' && message.subtype === 'init';
    if (isBegin && running.length === 0 && this.#unasked === undefined) this.#beginUnasked();
    for (const { turn } of running) push(turn, message, length);
    if (this.#unasked !== undefined) this.#hearUnasked(this.#unasked, message, length);
  }

  #sent(messageId: string): void {
    // A message that is sent again after a crash may get another id.
    const followed = this.#turns.get(messageId) ?? [...this.#turns.values()].find(({ sent }) => !sent);
    if (followed === undefined) return;
    followed.sent = true;
    followed.turn.mark('started');
  }

  #noteLifecycle({ command_uuid: uuid, state }: WireObject): void {
    const followed = this.#turns.get(String(uuid));
    if (followed === undefined) return;
    followed.waits = state === 'queued';
    if (state === 'queued') followed.turn.mark('queued');
    if (state === 'started') followed.turn.mark('started');
  }

  /** Its worker says which messages were lost with it; the others are sent again. */
  #cliEnded(error: Error): void {
    for (const followed of this.#turns.values()) followed.sent = false;
    this.#unasked?.settle({ kind: 'cli-ended', error });
    this.#unasked = undefined;
  }

  #beginUnasked(): void {
    const turn = this.#make(undefined);
    turn.mark('started');
    this.#unasked = turn;
    this.#parts.onUnasked(turn);
  }

  #hearUnasked(turn: SessionTurn, message: WireObject, length: number): void {
    push(turn, message, length);
    if (typeof message.error === 'string' && message.type === 'assistant')
      turn.note({ assistantError: message.error });
    if (isObject(message.rate_limit_info)) turn.note({ rateLimit: message.rate_limit_info });
    if (message.type !== 'result') return;
    this.#unasked = undefined;
    turn.settle(outcomeOf(message, turn.evidence));
  }

  #make(userMessageId: string | undefined): SessionTurn {
    const { watcher, cancel, stop } = this.#parts;
    return new SessionTurn({
      userMessageId,
      userMessage: undefined,
      buffer: new MessageBuffer(LIMITS, watcher),
      partial: false,
      onStream: () => {},
      cancel,
      stop,
    });
  }
}

function push(turn: SessionTurn, message: WireObject, length: number): void {
  if (message.type !== 'stream_event' || turn.takesPartial) turn.push(message, length);
}
