import type { Session } from '../../host/session/session.js';
import type { TurnOutcome } from '../../host/session/turns/outcome.js';
import type { Turn } from '../../host/session/turns/turn.js';
import type { TurnView } from './turn-view.js';

/** Turns that a newer CLI starts on its own when a background agent has finished. */
export class UnaskedTurns {
  readonly #session: Pick<Session, 'state' | 'on' | 'settled'>;
  readonly #view: Pick<TurnView, 'onlyShellsLeft'>;
  readonly #waiting: Turn[] = [];
  #wake = () => {};

  constructor(session: Pick<Session, 'state' | 'on' | 'settled'>, view: Pick<TurnView, 'onlyShellsLeft'>) {
    this.#session = session;
    this.#view = view;
    session.on('unasked', (turn) => {
      this.#waiting.push(turn);
      this.#wake();
    });
  }

  /** Follows them until no more will come; resolves to the last outcome. Does not wait for shells. */
  async follow(follow: (turn: Turn) => Promise<TurnOutcome>): Promise<TurnOutcome | undefined> {
    let outcome: TurnOutcome | undefined;
    for (;;) {
      await this.#settledOrMore();
      const turn = this.#waiting.shift();
      if (turn === undefined) return outcome;
      outcome = await follow(turn);
    }
  }

  async #settledOrMore(): Promise<void> {
    if (this.#waiting.length > 0 || this.#session.state !== 'ready' || this.#view.onlyShellsLeft) return;
    const giveUp = new AbortController();
    const more = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await Promise.race([more, this.#session.settled({ signal: giveUp.signal }).catch(() => {})]);
    giveUp.abort();
  }
}
