import type { ServerCommands } from '../../../entry/remote/contract.js';
import { kinds, listOf, oneOf } from '../../../wire/util/option-checks.js';
import type { ServedSessions } from '../sessions/served-session.js';
import { WEBHOOK_EVENTS } from '../webhooks/webhook-file.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { CommandTable } from './command.js';

const aDelivery = { needs: { delivery: kinds.text } };

/** What they work with. */
interface WebhookContext {
  readonly webhooks: Webhooks;
  readonly registry: Pick<ServedSessions, 'all'>;
}

/** The commands about webhooks. */
export const webhookCommands: CommandTable<
  Extract<keyof ServerCommands, `webhooks.${string}`>,
  WebhookContext
> = {
  'webhooks.list': {
    role: 'owner',
    acts: false,
    run: async (_params, { webhooks }) => ({ webhooks: webhooks.all }),
  },
  'webhooks.add': {
    role: 'owner',
    acts: true,
    needs: { url: kinds.text },
    takes: { events: listOf(oneOf(...WEBHOOK_EVENTS)), conversation: kinds.uuid },
    run: async (params, { webhooks, registry }) => {
      const added = webhooks.add(params);
      for (const session of registry.all) webhooks.changed(session);
      return added;
    },
  },
  'webhooks.remove': {
    role: 'owner',
    acts: true,
    needs: { webhook: kinds.text },
    run: async ({ webhook }, { webhooks }) => {
      webhooks.remove(webhook);
      return {};
    },
  },
  'webhooks.failed': {
    role: 'owner',
    acts: false,
    run: async (_params, { webhooks }) => ({ deliveries: webhooks.failed }),
  },
  'webhooks.retry': {
    role: 'owner',
    acts: true,
    ...aDelivery,
    run: async ({ delivery }, { webhooks }) => {
      webhooks.retry(delivery);
      return {};
    },
  },
  'webhooks.forget': {
    role: 'owner',
    acts: true,
    ...aDelivery,
    run: async ({ delivery }, { webhooks }) => {
      webhooks.forget(delivery);
      return {};
    },
  },
};
