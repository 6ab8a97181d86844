import type { TurnOutcome } from '../../../host/session/turns/outcome.js';
import type { TextDelta } from '../../../host/session/turns/text-deltas.js';
import type { Turn, TurnReceipt } from '../../../host/session/turns/turn.js';
import { TurnFailedError } from '../../../host/session/turns/turn-failed-error.js';
import type { CliMessage } from '../../../wire/protocol/catalog/types.js';
import { type Deferred, deferred } from '../../../wire/util/deferred.js';

/** A turn of a conversation: it may wait for a CLI, and be sent to a second one. */
export class ManagedTurn implements Turn {
  readonly userMessageId: string;
  readonly outcome: Promise<TurnOutcome>;
  readonly began: Promise<TurnReceipt>;
  readonly #cancel: () => Promise<boolean>;
  readonly #outcome = deferred<TurnOutcome>();
  readonly #began = deferred<TurnReceipt>();
  readonly #attempts: Turn[] = [];
  readonly #texts: AsyncIterable<TextDelta>[] = [];
  #streamsText = false;
  #next: Deferred<void> = deferred();
  #settled = false;

  constructor(id: string, cancel: () => Promise<boolean>) {
    this.userMessageId = id;
    this.#cancel = cancel;
    this.outcome = this.#outcome.promise;
    this.began = this.#began.promise;
  }

  get receipt(): TurnReceipt {
    return this.#settled ? 'settled' : (this.#attempts.at(-1)?.receipt ?? 'held');
  }

  get dropped(): number {
    return this.#attempts.reduce((sum, { dropped }) => sum + dropped, 0);
  }

  [Symbol.asyncIterator](): AsyncIterator<CliMessage, undefined, void> {
    return this.#oneAfterTheOther(this.#attempts);
  }

  async text(): Promise<string> {
    const outcome = await this.outcome;
    if (outcome.kind === 'success') return outcome.text;
    throw new TurnFailedError(outcome);
  }

  textDeltas(): AsyncIterable<TextDelta> {
    // A turn keeps pieces of text only for those who ask before they come.
    this.#streamsText = true;
    for (const turn of this.#attempts.slice(this.#texts.length)) this.#texts.push(turn.textDeltas());
    return { [Symbol.asyncIterator]: () => this.#oneAfterTheOther(this.#texts) };
  }

  cancel(): Promise<boolean> {
    return this.#cancel();
  }

  async stop(): Promise<TurnOutcome> {
    if (!(await this.cancel())) await this.#attempts.at(-1)?.stop();
    return this.outcome;
  }

  /** A CLI has it. */
  begin(turn: Turn): void {
    this.#attempts.push(turn);
    if (this.#streamsText) this.#texts.push(turn.textDeltas());
    void turn.began.then((receipt) => this.#began.resolve(receipt));
    this.#wake();
  }

  settle(outcome: TurnOutcome): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#outcome.resolve(outcome);
    this.#began.resolve('settled');
    this.#wake();
  }

  /** What the attempts give, those to come included. */
  #oneAfterTheOther<T>(attempts: readonly AsyncIterable<T>[]): AsyncIterator<T, undefined, void> {
    let index = 0;
    let reader: AsyncIterator<T> | undefined;
    let left = false;
    const next = async (): Promise<IteratorResult<T, undefined>> => {
      while (!left) {
        reader ??= attempts[index]?.[Symbol.asyncIterator]();
        if (reader !== undefined) {
          const { value, done } = await reader.next();
          if (done !== true) return { value, done: false };
          reader = undefined;
          index += 1;
        } else if (this.#settled) break;
        else await this.#next.promise;
      }
      return { value: undefined, done: true };
    };
    const leave = async (): Promise<IteratorResult<T, undefined>> => {
      left = true;
      this.#wake();
      await reader?.return?.();
      return { value: undefined, done: true };
    };
    return { next, return: leave };
  }

  #wake(): void {
    this.#next.resolve();
    this.#next = deferred();
  }
}
