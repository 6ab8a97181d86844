import type { Position, ServerMessage } from '../../../src/entry/remote/contract.js';
import { NO_VIEW, type SessionView } from '../model/view.js';
import { type ConsoleState, type LinkState, NOTHING_YET, receive, setView } from './state.js';

/** Holds the page's state and notifies its listeners of changes. */
export class ConsoleStore {
  #state: ConsoleState = NOTHING_YET;
  readonly #listeners = new Set<() => void>();

  readonly get = (): ConsoleState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Processes messages from the server. */
  receive(messages: readonly ServerMessage[]): void {
    this.#set(receive(this.#state, messages));
  }

  /** Records the state of the connection. */
  setLink(link: LinkState): void {
    // Pending requests are repeated by their callers.
    const fetching = link === 'open' ? this.#state.fetching : new Map();
    this.#set({ ...this.#state, link, fetching });
  }

  /** Changes the state of a session. */
  setView(session: string, edit: (view: SessionView) => SessionView): void {
    this.#set(setView(this.#state, session, edit));
  }

  /** The last known event of a session. */
  positionOf(session: string): Position {
    const { last: after, kept } = this.#state.views.get(session) ?? NO_VIEW;
    return { after, ...kept };
  }

  #set(state: ConsoleState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        // If one listener fails, the others must still be called: otherwise a prompt would not be shown.
        reportError(error);
      }
    }
  }
}
