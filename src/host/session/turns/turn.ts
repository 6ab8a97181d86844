import type { CliMessage } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { deferred } from '../../../wire/util/deferred.js';
import type { Source } from '../../../wire/util/reader.js';
import type { MessageBuffer } from '../../core/messages/message-buffer.js';
import type { TurnEvidence, TurnOutcome } from './outcome.js';
import { type TextDelta, TextDeltas } from './text-deltas.js';
import { TurnFailedError } from './turn-failed-error.js';

/**
 * The state of a user message: `held` here, `queued` in the CLI, `started`, `merged` into a turn that was running or
 * about to run, `cancelled` before it began, or `settled`.
 */
export type TurnReceipt = 'held' | 'queued' | 'started' | 'merged' | 'cancelled' | 'settled';

/** A turn, from a user message to its result. Can be iterated once; not thenable. */
export interface Turn<Output = unknown> extends AsyncIterable<CliMessage> {
  /** The `uuid` of the user message, for `rewind`; undefined for a turn that the CLI started. */
  readonly userMessageId: string | undefined;
  /** How the turn ended; settles exactly once and never rejects. */
  readonly outcome: Promise<TurnOutcome<Output>>;
  /** The current state of the user message. */
  readonly receipt: TurnReceipt;
  /** Resolves when the receipt is no longer `held` or `queued`. */
  readonly began: Promise<TurnReceipt>;
  /**
   * The number of dropped messages: they arrived before any reader and did not fit the buffer, or after the reader
   * left.
   */
  readonly dropped: number;
  /** Resolves to the text of the answer; rejects with `TURN_FAILED` unless the turn succeeded. */
  text(): Promise<string>;
  /** Streams the text in pieces, each with its agent. Counts as the reader of the turn; call it right after `send`. */
  textDeltas(): AsyncIterable<TextDelta>;
  /**
   * Cancels the message while it is held or queued; resolves to whether that worked. Rejects with `REQUEST_TIMEOUT` if
   * the CLI does not answer; the turn then stays open.
   */
  cancel(): Promise<boolean>;
  /**
   * Ends the turn: cancels the message if it is waiting, otherwise interrupts. Resolves to the outcome, within 5 s even
   * if the CLI does not react.
   */
  stop(): Promise<TurnOutcome>;
}

/** How long a CLI may take to end a stopped turn. */
export const STOP_MS = 5_000;

/** How a turn ends that was stopped for a reason, instead of `interrupted` or `cancelled`. */
export type StoppedOutcome = Extract<TurnOutcome, { readonly kind: 'aborted' | 'closed' | 'auth' }>;

/** The parts of a {@link SessionTurn}. */
export interface SessionTurnOptions {
  readonly userMessageId: string | undefined;
  /** The line to send; undefined for a turn that the CLI started. */
  readonly userMessage: WireObject | undefined;
  readonly buffer: MessageBuffer;
  /** Whether its reader also gets partial messages. */
  readonly partial: boolean;
  /** Called when somebody wants the streamed text. */
  readonly onStream: () => void;
  readonly cancel: (turn: SessionTurn) => Promise<boolean>;
  readonly stop: (turn: SessionTurn) => Promise<void>;
}

/** The session's own view of a turn. */
export class SessionTurn implements Turn {
  readonly userMessageId: string | undefined;
  readonly userMessage: WireObject | undefined;
  readonly outcome: Promise<TurnOutcome>;
  readonly began: Promise<TurnReceipt>;
  readonly #buffer: MessageBuffer;
  readonly #onStream: () => void;
  readonly #cancel: (turn: SessionTurn) => Promise<boolean>;
  readonly #stop: (turn: SessionTurn) => Promise<void>;
  readonly #outcome = deferred<TurnOutcome>();
  readonly #began = deferred<TurnReceipt>();
  #takesPartial: boolean;
  #receipt: TurnReceipt = 'held';
  #evidence: TurnEvidence = { interruptAsked: false };
  #stoppedAs: StoppedOutcome | undefined;

  constructor(options: SessionTurnOptions) {
    this.userMessageId = options.userMessageId;
    this.userMessage = options.userMessage;
    this.#buffer = options.buffer;
    this.#takesPartial = options.partial;
    this.#onStream = options.onStream;
    this.#cancel = options.cancel;
    this.#stop = options.stop;
    this.outcome = this.#outcome.promise;
    this.began = this.#began.promise;
  }

  get receipt(): TurnReceipt {
    return this.#receipt;
  }

  get dropped(): number {
    return this.#buffer.dropped;
  }

  get evidence(): TurnEvidence {
    return this.#evidence;
  }

  [Symbol.asyncIterator](): AsyncIterator<CliMessage, undefined, void> {
    return this.#buffer[Symbol.asyncIterator]() as AsyncIterator<CliMessage, undefined, void>;
  }

  async text(): Promise<string> {
    const outcome = await this.outcome;
    if (outcome.kind === 'success') return outcome.text;
    throw new TurnFailedError(outcome);
  }

  textDeltas(): AsyncIterable<TextDelta> {
    this.streamText();
    return new TextDeltas(this.#buffer);
  }

  /** The source of its reader, to join several turns into one. */
  get source(): Source<WireObject> {
    return this.#buffer;
  }

  /** Keeps partial messages from now on. */
  streamText(): void {
    this.#takesPartial = true;
    this.#onStream();
  }

  /** Whether any reader wants partial messages; otherwise none are kept. */
  get takesPartial(): boolean {
    return this.#takesPartial;
  }

  cancel(): Promise<boolean> {
    return this.#cancel(this);
  }

  async stop(): Promise<TurnOutcome> {
    if (this.#receipt !== 'settled') await this.#stop(this);
    return this.outcome;
  }

  /** Stops it for a reason, which becomes part of its outcome. */
  stopAs(outcome: StoppedOutcome): Promise<TurnOutcome> {
    this.willEndAs(outcome);
    return this.stop();
  }

  /** It is about to be stopped; its outcome gets the reason. */
  willEndAs(outcome: StoppedOutcome): void {
    this.#stoppedAs ??= outcome;
    this.noteInterrupt();
  }

  /** Follows a signal until the turn ends. */
  stopOnAbort(signal: AbortSignal): void {
    const onAbort = () => void this.stopAs({ kind: 'aborted', cause: signal.reason });
    signal.addEventListener('abort', onAbort, { once: true });
    void this.outcome.then(() => signal.removeEventListener('abort', onAbort));
  }

  /** Records the state of the message; a settled turn stays settled. */
  mark(receipt: TurnReceipt): void {
    if (this.#receipt === 'settled') return;
    this.#receipt = receipt;
    if (receipt !== 'held' && receipt !== 'queued') this.#began.resolve(receipt);
  }

  /** An interrupt was requested while this turn ran. */
  noteInterrupt(): void {
    this.note({ interruptAsked: true });
  }

  /** Records what matters for the outcome before the result arrives. */
  note(evidence: Partial<TurnEvidence>): void {
    this.#evidence = { ...this.#evidence, ...evidence };
  }

  push(message: WireObject, length: number): void {
    this.#buffer.push(message, length);
  }

  /** Drops unread messages. */
  discard(): void {
    this.#buffer.discard();
  }

  /** Ends the turn; only the first outcome counts. The reader gets the rest, then the end or the CLI's error. */
  settle(outcome: TurnOutcome): void {
    if (this.#receipt === 'settled') return;
    this.mark(outcome.kind === 'cancelled' ? 'cancelled' : 'settled');
    this.#receipt = 'settled';
    const wasStopped = outcome.kind === 'cancelled' || outcome.kind === 'interrupted';
    this.#outcome.resolve(wasStopped ? { ...outcome, ...this.#stoppedAs } : outcome);
    this.#buffer.end(outcome.kind === 'cli-ended' ? outcome.error : undefined);
  }
}
