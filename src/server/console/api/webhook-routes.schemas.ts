import { z } from 'zod';
import { HttpProblem } from './problems.js';
import { pageOf as cut, type Route } from './route.js';
import * as shapes from './shapes.schemas.js';

const failed = '/webhooks/failed/{delivery}';

/** Notifying other servers, and answering through the URLs they receive. */
export const webhookRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/webhooks',
    name: 'listWebhooks',
    tag: 'Webhooks',
    about: 'List webhooks.',
    answer: z.object({ items: z.array(shapes.webhook) }).describe('All webhooks, without their secrets.'),
    run: async (_input, { command }) => ({ items: (await command('webhooks.list', {})).webhooks }),
  },
  {
    method: 'post',
    path: '/webhooks',
    name: 'addWebhook',
    tag: 'Webhooks',
    about: 'Add a webhook. The secret is only returned here.',
    body: shapes.webhookBody,
    answer: shapes.addedWebhook,
    status: 201,
    command: 'webhooks.add',
  },
  {
    method: 'delete',
    path: '/webhooks/{webhook}',
    name: 'removeWebhook',
    tag: 'Webhooks',
    about: 'Remove a webhook.',
    command: 'webhooks.remove',
  },
  {
    method: 'get',
    path: '/webhooks/failed',
    name: 'listFailedDeliveries',
    tag: 'Webhooks',
    about: 'List messages of which an attempt failed, latest first.',
    query: shapes.pageQuery,
    answer: shapes.pageOf(shapes.failedDelivery, 'messages of which an attempt failed'),
    run: async ({ query }, { command }) => {
      const { deliveries } = await command('webhooks.failed', {});
      return cut(deliveries, query, ({ createdAt, id }) => [createdAt, id]);
    },
  },
  {
    method: 'post',
    path: `${failed}/retry`,
    name: 'retryDelivery',
    tag: 'Webhooks',
    about: 'Try to deliver a message again now.',
    command: 'webhooks.retry',
  },
  {
    method: 'delete',
    path: failed,
    name: 'forgetDelivery',
    tag: 'Webhooks',
    about: 'Remove a message from the list; it is not tried again.',
    command: 'webhooks.forget',
  },
  {
    method: 'post',
    path: '/answers/{key}',
    name: 'answerByKey',
    tag: 'Webhooks',
    about: 'Answer a prompt through the URL from a webhook: once, and without another key.',
    body: shapes.answerBody,
    answer: shapes.answered,
    isOpen: true,
    run: async ({ path: { key = '' }, body: answer }, { webhooks, command, afterGuess }) => {
      const right = webhooks.takeKey(key);
      if (right === undefined) {
        await afterGuess();
        const detail =
          'This URL was used, has expired, or is invalid. The prompt can still be answered elsewhere.';
        throw new HttpProblem(410, 'ANSWER_KEY_GONE', { detail });
      }
      const { prompt, conversation } = right;
      return command('answer', { prompt, answer }, conversation).catch((error: unknown) => {
        webhooks.giveBackKey(key, right);
        throw error;
      });
    },
  },
];
