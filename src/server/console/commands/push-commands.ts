import type { ServerCommands } from '../../../entry/remote/contract.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { kinds } from '../../../wire/util/option-checks.js';
import type { Pushes } from '../push/pushes.js';
import type { ServedSessions } from '../sessions/served-session.js';
import type { Commander, CommandTable } from './command.js';

/** What they work with. */
interface PushContext {
  /** Undefined on a server without clients. */
  readonly pushes?: Pushes | undefined;
  readonly registry: Pick<ServedSessions, 'all'>;
  readonly by: Commander;
}

/** The commands about messages to browsers without an open page. Everyone decides for their own browser. */
export const pushCommands: CommandTable<
  Extract<keyof ServerCommands, 'push' | `push.${string}`>,
  PushContext
> = {
  push: {
    role: 'operator',
    acts: false,
    takes: { endpoint: kinds.text },
    run: async ({ endpoint }, context) => {
      const { pushes, device } = known(context);
      return { key: pushes.key, on: endpoint !== undefined && pushes.has(device, endpoint) };
    },
  },
  'push.add': {
    role: 'operator',
    acts: true,
    needs: { endpoint: kinds.text, p256dh: kinds.text, auth: kinds.text },
    run: async (params, context) => {
      const { pushes, device } = known(context);
      pushes.add(device, params);
      for (const session of context.registry.all) pushes.changed(session);
      return {};
    },
  },
  'push.remove': {
    role: 'operator',
    acts: true,
    needs: { endpoint: kinds.text },
    run: async ({ endpoint }, context) => {
      const { pushes, device } = known(context);
      pushes.remove(device, endpoint);
      return {};
    },
  },
};

/** Whether a command is one of these. */
export function isPushCommand(name: string): name is keyof typeof pushCommands {
  return Object.hasOwn(pushCommands, name);
}

function known({ pushes, by: { device } }: PushContext): {
  readonly pushes: Pushes;
  readonly device: string;
} {
  if (pushes !== undefined && device !== undefined) return { pushes, device };
  throw new CoxswainError('COMMAND_INVALID', 'This server has no browsers to send messages to.');
}
