import { ConsoleClient } from '../../../entry/remote/console-client.js';
import { type Clock, systemClock } from '../../../wire/util/clock.js';
import { Listeners } from '../../../wire/util/listeners.js';
import { remoteConversations } from '../../console/service/remote-conversations.js';
import type { Manager } from '../../manager/manager.js';
import type { ManagerEvents } from '../../manager/manager-events.js';
import { type ManagedServer, ServedManager } from './served-manager.js';
import {
  addressOf,
  type ConsoleConversationOptions,
  type ConsoleManagerOptions,
  checkConsoleManagerOptions,
  checkFleetManagerOptions,
  type FleetConversationOptions,
  type FleetManagerOptions,
} from './served-manager-options.js';

/** Connects to a fleet. @throws CoxswainError `FLEET_NOT_STARTED` if it cannot be reached or its client is missing. */
export async function openFleetManager(
  options: FleetManagerOptions,
): Promise<Manager<FleetConversationOptions>> {
  checkFleetManagerOptions(options);
  const listeners = listenersOf(options);
  // A fleet needs packages that others do not install.
  const { fleetConversations } = await import('../../fleet/program/fleet-conversations.js');
  const fleet = await fleetConversations(options.fleet, systemClock, (diagnostic) =>
    listeners.emit('diagnostic', { conversation: '', diagnostic }),
  );
  return new ServedManager(options, { where: 'fleet', ...fleet }, { clock: systemClock, listeners });
}

/** Connects to a console. @throws CoxswainError `REMOTE_LOST` if it cannot be reached, or does not accept the token. */
export async function openConsoleManager(
  options: ConsoleManagerOptions,
): Promise<Manager<ConsoleConversationOptions>> {
  checkConsoleManagerOptions(options);
  const listeners = listenersOf(options);
  const server = await consoleServer(options, systemClock, listeners);
  return new ServedManager(options, server, { clock: systemClock, listeners });
}

async function consoleServer(
  options: ConsoleManagerOptions,
  clock: Clock,
  listeners: Listeners<ManagerEvents>,
): Promise<ManagedServer> {
  const address = addressOf(options);
  const client = new ConsoleClient(
    {
      ...address,
      onDiagnostic: (diagnostic) => listeners.emit('diagnostic', { conversation: '', diagnostic }),
    },
    clock,
  );
  try {
    await client.listed;
  } catch (error) {
    await client.close();
    throw error;
  }
  const conversations = remoteConversations(client, address);
  return { where: 'console', of: () => conversations, close: () => client.close() };
}

/** From the beginning: connecting may report something. */
function listenersOf({
  onDiagnostic,
}: Pick<ConsoleManagerOptions, 'onDiagnostic'>): Listeners<ManagerEvents> {
  const listeners = new Listeners<ManagerEvents>();
  if (onDiagnostic !== undefined) listeners.on('diagnostic', onDiagnostic);
  return listeners;
}
