import type { ServerMessage } from '../../../src/entry/remote/contract.js';
import type { SessionView } from '../model/view.js';
import { type ConsoleState, type LinkState, NOTHING_YET, receive, setView } from './state.js';

/** Holds what the page knows and tells its listeners when that changes. */
export class ConsoleStore {
  #state: ConsoleState = NOTHING_YET;
  readonly #listeners = new Set<() => void>();

  readonly get = (): ConsoleState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes in messages of the server. */
  receive(messages: readonly ServerMessage[]): void {
    this.#set(receive(this.#state, messages));
  }

  /** Notes how the page stands with its server. */
  setLink(link: LinkState): void {
    // What was on its way is asked for again by whoever wants it.
    const fetching = link === 'open' ? this.#state.fetching : new Map();
    this.#set({ ...this.#state, link, fetching });
  }

  /** Changes what is known of a session. */
  setView(session: string, edit: (view: SessionView) => SessionView): void {
    this.#set(setView(this.#state, session, edit));
  }

  /** The number of the last event that is known of a session. */
  lastOf(session: string): number {
    return this.#state.views.get(session)?.last ?? 0;
  }

  #set(state: ConsoleState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        // Whatever fails in one, the others must hear: a prompt would not be shown.
        reportError(error);
      }
    }
  }
}
