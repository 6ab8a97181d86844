import { randomUUID } from 'node:crypto';
import { startSession } from '../../entry/sdk/open-session.js';
import { systemClock } from '../../wire/util/clock.js';
import { LocalManager } from './local-manager.js';
import type { ManagerDeps } from './manager-deps.js';
import { checkManagerOptions } from './manager-option-checks.js';
import type { ManagerOptions } from './manager-options.js';
import { openStore } from './store/conversation-store.js';

/**
 * Opens the manager of a store. Conversations of an earlier manager are available again, and unsettled messages
 * continue. @throws CoxswainError `STORE_IN_USE` while another manager uses the folder.
 */
export async function openManager(
  options: ManagerOptions,
  deps: Partial<ManagerDeps> = {},
): Promise<LocalManager> {
  checkManagerOptions(options);
  const manager = new LocalManager(options, {
    clock: systemClock,
    now: Date.now,
    random: Math.random,
    makeUuid: randomUUID,
    startSession,
    openStore,
    ...deps,
  });
  try {
    manager.begin();
  } catch (error) {
    // Otherwise the folder stays locked by this process.
    await manager.close();
    throw error;
  }
  return manager;
}
