import type { Surroundings } from './conversations/surroundings.js';
import type { LimitExchange } from './limits/plan-holds.js';
import type { ConversationStore } from './store/conversation-store.js';

/** The dependencies of a manager; tests pass their own. */
export interface ManagerDeps
  extends Pick<Surroundings, 'clock' | 'now' | 'random' | 'makeUuid' | 'startSession'> {
  /** Opens what earlier managers left in the folder of the store. */
  readonly openStore: (folder: string) => ConversationStore;
  /** Other managers that share logins with this one. */
  readonly limitExchange?: LimitExchange | undefined;
}
