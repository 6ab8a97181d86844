import type { ServerCommands } from '../../../entry/remote/contract.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { kinds } from '../../../wire/util/option-checks.js';
import type { Devices } from '../keys/devices.js';
import type { Commander, CommandTable } from './command.js';

/** What they work with. */
interface DeviceContext {
  /** Undefined on a server without clients. */
  readonly devices?: Devices | undefined;
  readonly by: Commander;
}

/** The commands about keys and browsers. */
export const deviceCommands: CommandTable<
  Extract<keyof ServerCommands, 'devices' | `devices.${string}`>,
  DeviceContext
> = {
  devices: {
    role: 'owner',
    acts: false,
    run: async (_params, context) => ({ devices: known(context).list(context.by.device) }),
  },
  'devices.revoke': {
    role: 'owner',
    acts: true,
    needs: { device: kinds.text },
    run: async ({ device }, context) => {
      known(context).revoke(device);
      return {};
    },
  },
};

/** Whether a command is one of these. */
export function isDeviceCommand(name: string): name is keyof typeof deviceCommands {
  return Object.hasOwn(deviceCommands, name);
}

function known({ devices }: DeviceContext): Devices {
  if (devices !== undefined) return devices;
  throw new CoxswainError('COMMAND_INVALID', 'This server has no devices.');
}
