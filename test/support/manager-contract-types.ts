import type { Manager } from '../../src/server/manager/manager.js';
import type { EmulatedClis } from './manager.js';

/** Opens a manager whose CLIs are emulated; it is closed after the test. */
export type OpenForContract = (
  clis: EmulatedClis,
) => Promise<{ readonly manager: Manager; readonly clis: () => number }>;
