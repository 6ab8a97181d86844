import { systemClock } from '../../../wire/util/clock.js';
import type { Manager } from '../../manager/manager.js';
import { FleetManager } from './fleet-manager.js';
import {
  checkFleetManagerOptions,
  type FleetConversationOptions,
  type FleetManagerOptions,
} from './fleet-manager-options.js';

/** Connects to a fleet. @throws CoxswainError `FLEET_NOT_STARTED` if it cannot be reached or its client is missing. */
export async function openFleetManager(
  options: FleetManagerOptions,
): Promise<Manager<FleetConversationOptions>> {
  checkFleetManagerOptions(options);
  return new FleetManager(options).open(systemClock);
}
