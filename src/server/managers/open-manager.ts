import { isRecord, OptionError } from '../../wire/util/option-checks.js';
import type { Manager } from '../manager/manager.js';
import type { ManagerOptions } from '../manager/manager-options.js';
import { openManager as openLocalManager } from '../manager/open-manager.js';
import type {
  ConsoleConversationOptions,
  ConsoleManagerOptions,
  FleetConversationOptions,
  FleetManagerOptions,
} from './served/served-manager-options.js';

/**
 * Opens a manager of a fleet: its conversations run on the fleet's workers, and every program finds the same ones.
 * @throws CoxswainError `FLEET_NOT_STARTED` if the fleet cannot be reached, or the NATS client packages are missing.
 */
export function openManager(options: FleetManagerOptions): Promise<Manager<FleetConversationOptions>>;
/**
 * Opens a manager of a console: its conversations run on that server, and continue without this program.
 * @throws CoxswainError `REMOTE_LOST` if the console cannot be reached, or does not accept the token.
 */
export function openManager(options: ConsoleManagerOptions): Promise<Manager<ConsoleConversationOptions>>;
/**
 * Opens the manager of a store. Conversations of an earlier manager are available again, and unsettled messages
 * continue. @throws CoxswainError `STORE_IN_USE` while another manager uses the folder.
 */
export function openManager(options: ManagerOptions): Promise<Manager>;
export async function openManager(
  options: ManagerOptions | FleetManagerOptions | ConsoleManagerOptions,
): Promise<Manager | Manager<FleetConversationOptions> | Manager<ConsoleConversationOptions>> {
  const { fleet, console } = isRecord(options)
    ? (options as Partial<FleetManagerOptions & ConsoleManagerOptions>)
    : {};
  if (fleet === undefined && console === undefined) return openLocalManager(options as ManagerOptions);
  if (fleet !== undefined && console !== undefined)
    throw new OptionError('console', 'Option "console": not with "fleet": give one of them.');
  // A server needs packages that others do not load.
  const { openFleetManager, openConsoleManager } = await import('./served/open-served-manager.js');
  return fleet === undefined
    ? openConsoleManager(options as ConsoleManagerOptions)
    : openFleetManager(options as FleetManagerOptions);
}
