import { isRecord } from '../../wire/util/option-checks.js';
import type {
  FleetConversationOptions,
  FleetManagerOptions,
} from '../fleet/manager/fleet-manager-options.js';
import type { Manager } from '../manager/manager.js';
import type { ManagerOptions } from '../manager/manager-options.js';
import { openManager as openLocalManager } from '../manager/open-manager.js';

/**
 * Opens a manager of a fleet: its conversations run on the fleet's workers, and every program finds the same ones.
 * @throws CoxswainError `FLEET_NOT_STARTED` if the fleet cannot be reached, or the NATS client packages are missing.
 */
export function openManager(options: FleetManagerOptions): Promise<Manager<FleetConversationOptions>>;
/**
 * Opens the manager of a store. Conversations of an earlier manager are available again, and unsettled messages
 * continue. @throws CoxswainError `STORE_IN_USE` while another manager uses the folder.
 */
export function openManager(options: ManagerOptions): Promise<Manager>;
export async function openManager(
  options: ManagerOptions | FleetManagerOptions,
): Promise<Manager | Manager<FleetConversationOptions>> {
  if (!isFleet(options)) return openLocalManager(options);
  // A fleet needs packages that others do not install.
  const { openFleetManager } = await import('../fleet/manager/open-fleet-manager.js');
  return openFleetManager(options);
}

function isFleet(options: ManagerOptions | FleetManagerOptions): options is FleetManagerOptions {
  return isRecord(options) && 'fleet' in options && options.fleet !== undefined;
}
