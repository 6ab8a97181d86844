import type { Session } from '../../../host/session/session.js';
import type { SessionDeps } from '../../../host/session/session-host.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { Listeners } from '../../../wire/util/listeners.js';
import type { PlanHolds } from '../limits/plan-holds.js';
import type { ManagerEvents } from '../manager-events.js';
import type { LaunchOptions, ManagerOptions } from '../manager-options.js';
import type { Spending } from '../money/spending.js';
import type { Schedules } from '../schedules/schedules.js';
import type { ConversationStore } from '../store/conversation-store.js';
import type { Places } from './places.js';
import type { WarmPool } from './warm-pool.js';

/** What all conversations of a manager share. */
export interface Surroundings {
  readonly options: {
    readonly idleMs: number;
    readonly parkBy: 'idle' | 'cost';
    readonly limitSpreadMs: number;
    readonly onLimit: 'wait' | 'fail';
    readonly defaults: LaunchOptions;
    readonly optionsFor: ManagerOptions['optionsFor'];
    readonly defer: ManagerOptions['defer'];
  };
  readonly store: ConversationStore;
  /** The folder of the store; worktrees are in it too. */
  readonly folder: string;
  readonly places: Places;
  readonly pool: WarmPool;
  readonly spending: Spending;
  readonly plans: PlanHolds;
  readonly schedules: Schedules;
  readonly listeners: Listeners<ManagerEvents>;
  readonly clock: Clock;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** A number from 0 to 1. */
  readonly random: () => number;
  readonly makeUuid: () => string;
  readonly startSession: (options: SessionOptions, deps?: SessionDeps) => Session;
  readonly count: (what: 'starts' | 'resumes') => void;
  /** A conversation became idle or has a prompt: someone may be waiting for its slot. */
  readonly makeRoom: () => void;
}
