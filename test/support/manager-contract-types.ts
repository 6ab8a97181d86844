import type { Manager } from '../../src/server/manager/manager.js';
import type { EmulatedClis } from './manager.js';

/** What the promises of a manager need: some that all kinds of managers take. */
export interface ContractOptions {
  readonly onLimit?: 'wait' | 'fail';
  readonly budgets?: { readonly conversation?: number };
}

/** Opens a manager whose CLIs are emulated; it is closed after the test. */
export type OpenForContract = (
  clis: EmulatedClis,
  options?: ContractOptions,
) => Promise<{ readonly manager: Manager; readonly clis: () => number }>;
