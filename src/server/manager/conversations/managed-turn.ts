import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import { type TextDelta, TextDeltas } from '../../../host/session/turns/text-deltas.js';
import type { SessionTurn, StoppedOutcome, Turn, TurnReceipt } from '../../../host/session/turns/turn.js';
import { TurnFailedError } from '../../../host/session/turns/turn-failed-error.js';
import type { CliMessage } from '../../../wire/protocol/catalog/types.js';
import { deferred } from '../../../wire/util/deferred.js';
import { JoinedMessages } from './joined-messages.js';

/** Cancels a message that no CLI has; returns whether that worked. */
type TakeBack = (as: StoppedOutcome | { readonly kind: 'cancelled' }) => boolean;

/** A turn of a conversation: it may wait for a CLI, and may be sent to a second one. */
export class ManagedTurn implements Turn {
  readonly userMessageId: string;
  readonly outcome: Promise<TurnOutcome>;
  readonly began: Promise<TurnReceipt>;
  readonly #takeBack: TakeBack;
  readonly #outcome = deferred<TurnOutcome>();
  readonly #began = deferred<TurnReceipt>();
  readonly #messages = new JoinedMessages();
  #attempt: SessionTurn | undefined;
  #droppedBefore = 0;
  #streamsText = false;
  #settled = false;
  #stopAsked = false;

  constructor(id: string, takeBack: TakeBack) {
    this.userMessageId = id;
    this.#takeBack = takeBack;
    this.outcome = this.#outcome.promise;
    this.began = this.#began.promise;
  }

  get receipt(): TurnReceipt {
    return this.#settled ? 'settled' : (this.#attempt?.receipt ?? 'held');
  }

  get dropped(): number {
    return this.#droppedBefore + (this.#attempt?.dropped ?? 0);
  }

  /** Whether it was cancelled: then it is not sent again. */
  get stopAsked(): boolean {
    return this.#stopAsked;
  }

  [Symbol.asyncIterator](): AsyncIterator<CliMessage, undefined, void> {
    return this.#messages[Symbol.asyncIterator]() as AsyncIterator<CliMessage, undefined, void>;
  }

  async text(): Promise<string> {
    const outcome = await this.outcome;
    if (outcome.kind === 'success') return outcome.text;
    throw new TurnFailedError(outcome);
  }

  textDeltas(): AsyncIterable<TextDelta> {
    this.#streamsText = true;
    this.#attempt?.streamText();
    return new TextDeltas(this.#messages);
  }

  async cancel(): Promise<boolean> {
    return this.#takeBack({ kind: 'cancelled' }) || ((await this.#attempt?.cancel()) ?? false);
  }

  async stop(): Promise<TurnOutcome> {
    this.#stopAsked = true;
    if (!this.#settled && !this.#takeBack({ kind: 'cancelled' })) await this.#attempt?.stop();
    return this.outcome;
  }

  /** Follows a signal until the turn is over. */
  obey(signal: AbortSignal): void {
    const onAbort = () => this.#stopAs({ kind: 'aborted', cause: signal.reason });
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void this.outcome.then(() => signal.removeEventListener('abort', onAbort));
  }

  /** A CLI has it. */
  begin(turn: SessionTurn): void {
    this.#droppedBefore = this.dropped;
    this.#attempt = turn;
    if (this.#streamsText) turn.streamText();
    this.#messages.add(turn.source);
    void turn.began.then((receipt) => this.#began.resolve(receipt));
  }

  settle(outcome: TurnOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#outcome.resolve(outcome);
    this.#began.resolve(outcome.kind === 'cancelled' ? 'cancelled' : 'settled');
    this.#messages.finish(outcome.kind === 'cli-ended' ? outcome.error : undefined);
  }

  #stopAs(outcome: StoppedOutcome): void {
    this.#stopAsked = true;
    if (!this.#settled && !this.#takeBack(outcome)) void this.#attempt?.stopAs(outcome);
  }
}
