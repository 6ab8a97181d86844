import { z } from 'zod';
import type { CommandParams } from '../../../entry/remote/contract.js';
import { latestLimits } from '../../../wire/protocol/reading/plan-limits.js';
import { controlRoutes } from './control-routes.schemas.js';
import { deviceRoutes } from './device-routes.schemas.js';
import { fileRoutes } from './file-routes.schemas.js';
import { FRONT_ENDS } from './front-end-events.js';
import { gitRoutes } from './git-routes.schemas.js';
import { pageOf as cut, type Route, type RouteParts, usageOf } from './route.js';
import * as shapes from './shapes.schemas.js';
import { transcriptRoutes } from './transcript-routes.schemas.js';
import { webhookRoutes } from './webhook-routes.schemas.js';

const one = '/conversations/{conversation}';

/** A command without parameters, answered with the conversation after it. */
function change(command: 'close' | 'park' | 'reopen', about: string): Route {
  return {
    method: 'post',
    path: `${one}/${command}`,
    name: `${command}Conversation`,
    tag: 'Conversations',
    about,
    answer: shapes.conversation,
    command,
    run: async ({ path }, parts) => {
      await parts.command(command, {}, path.conversation);
      return summaryOf(parts, path.conversation);
    },
  };
}

/** Opening, listing and ending conversations. */
const conversations: readonly Route[] = [
  {
    method: 'get',
    path: '/conversations',
    name: 'listConversations',
    tag: 'Conversations',
    about: 'List conversations, latest first.',
    query: shapes.pageQuery.extend({
      state: z.string().max(40).optional().describe('Only conversations in this state.'),
    }),
    answer: shapes.pageOf(shapes.conversation, 'conversations'),
    run: async ({ query }, { conversations: { all } }) => {
      const { state, ...page } = query as { state?: string };
      const wanted = all.filter((each) => state === undefined || each.state === state);
      return cut(wanted, page, ({ startedAt, id }) => [startedAt, id]);
    },
  },
  {
    method: 'post',
    path: '/conversations',
    name: 'openConversation',
    tag: 'Conversations',
    about: 'Open a new or resumed conversation; the answer comes when its CLI is ready.',
    body: shapes.openBody,
    answer: shapes.conversation,
    status: 201,
    command: 'open',
    run: async ({ body }, parts) => summaryOf(parts, (await parts.command('open', body)).session),
  },
  {
    method: 'get',
    path: one,
    name: 'readConversation',
    tag: 'Conversations',
    about: 'Read a conversation: its state, open prompts and usage.',
    answer: shapes.conversation,
    run: ({ path }, parts) => summaryOf(parts, path.conversation),
  },
  {
    method: 'delete',
    path: one,
    name: 'removeConversation',
    tag: 'Conversations',
    about:
      'Remove an ended conversation from the list and delete its events, and with `transcript` its transcript.',
    query: z.strictObject({
      transcript: z
        .enum(['true', 'false'])
        .optional()
        .describe('Whether to delete its transcript too. Default: false.'),
    }),
    command: 'remove',
    run: ({ path, query }, { command }) => {
      const { transcript } = query as { transcript?: string };
      return command('remove', { transcript: transcript === 'true' }, path.conversation);
    },
  },
  change('close', 'End the CLI of a conversation; the conversation stays listed.'),
  change('park', 'End the CLI of a conversation as soon as nothing runs; the next message starts another.'),
  change('reopen', 'Reopen an ended conversation where it left off.'),
  {
    method: 'post',
    path: `${one}/fork`,
    name: 'forkConversation',
    tag: 'Conversations',
    about: 'Open a copy that continues from here; the original does not change.',
    body: shapes.forkBody,
    bodyIsOptional: true,
    answer: shapes.conversation,
    status: 201,
    command: 'open',
    run: async ({ path, body }, parts) => {
      const { cwd, conversation, model, permissionMode } = await summaryOf(parts, path.conversation);
      const own: Partial<CommandParams<'open'>> = body;
      const params = { cwd, resume: conversation, forkSession: true, model, permissionMode, ...own };
      return summaryOf(parts, (await parts.command('open', params)).session);
    },
  },
];

/** Talking. */
const messages: readonly Route[] = [
  {
    method: 'post',
    path: `${one}/messages`,
    name: 'sendMessage',
    tag: 'Messages',
    about: 'Send a message. The response arrives as events.',
    body: shapes.sendBody,
    answer: shapes.sent,
    status: 202,
    command: 'send',
  },
  {
    method: 'delete',
    path: `${one}/messages/{message}`,
    name: 'takeBackMessage',
    tag: 'Messages',
    about: 'Cancel a message that has not started.',
    answer: z.object({ cancelled: z.boolean() }).describe('Whether the message was cancelled in time.'),
    command: 'unsend',
    run: ({ path }, { command }) => command('unsend', { uuid: path.message ?? '' }, path.conversation),
  },
  {
    method: 'get',
    path: `${one}/events`,
    name: 'streamEvents',
    tag: 'Messages',
    about: 'Stream the events of a conversation. `Last-Event-ID` continues after an event.',
    query: z.strictObject({
      after: z.coerce
        .number()
        .int()
        .min(-1)
        .optional()
        .describe('The number of the last known event; 0 for all (default), -1 for new ones only.'),
      partial: z
        .enum(['true', 'false'])
        .optional()
        .describe('Whether to include partial messages. Default: true.'),
      until: z
        .literal('settled')
        .optional()
        .describe('End the stream when nothing runs: the turn is over, or a prompt needs an answer.'),
      format: z
        .enum(FRONT_ENDS)
        .optional()
        .describe(
          'Stream in the protocol of a front end: `ai-sdk` (UI messages of the AI SDK; ends with the turn) or `ag-ui`. Default: events as in the log.',
        ),
    }),
    streams: 'conversation',
  },
  {
    method: 'post',
    path: `${one}/interrupt`,
    name: 'interrupt',
    tag: 'Messages',
    about: 'Stop the running turn.',
    body: z.strictObject({ cancelQueued: z.boolean().optional() }).describe('What else to cancel.'),
    bodyIsOptional: true,
    answer: shapes.interrupted,
    command: 'interrupt',
  },
];

/** What is waiting for a person. */
const prompts: readonly Route[] = [
  {
    method: 'get',
    path: '/prompts',
    name: 'listAllPrompts',
    tag: 'Prompts',
    about: 'List open prompts of all conversations.',
    query: shapes.pageQuery,
    answer: shapes.pageOf(shapes.listedPrompt, 'prompts'),
    run: async ({ query }, { conversations: { all } }) => {
      const open = all.flatMap((each) => each.prompts.map((prompt) => ({ conversation: each.id, prompt })));
      return cut(open, query, ({ conversation, prompt }) => [prompt.at, `${conversation} ${prompt.id}`]);
    },
  },
  {
    method: 'get',
    path: `${one}/prompts`,
    name: 'listPrompts',
    tag: 'Prompts',
    about: 'List the open prompts of a conversation, oldest first.',
    answer: z.object({ items: z.array(shapes.prompt) }).describe('All open prompts of a conversation.'),
    run: async ({ path }, parts) => ({ items: (await summaryOf(parts, path.conversation)).prompts }),
  },
  {
    method: 'post',
    path: `${one}/prompts/{prompt}/answer`,
    name: 'answerPrompt',
    tag: 'Prompts',
    about: 'Answer a prompt. Only the first answer counts.',
    body: shapes.answerBody,
    answer: shapes.answered,
    command: 'answer',
    run: ({ path, body: answer }, { command }) =>
      command('answer', { prompt: path.prompt ?? '', answer }, path.conversation),
  },
];

/** Usage, and information about the server. */
const others: readonly Route[] = [
  {
    method: 'get',
    path: `${one}/usage`,
    name: 'readUsage',
    tag: 'Usage',
    about: 'Cost and tokens of a conversation.',
    answer: shapes.usage,
    run: async ({ path }, parts) => usageOf(await summaryOf(parts, path.conversation)),
  },
  {
    method: 'get',
    path: '/usage',
    name: 'readAllUsage',
    tag: 'Usage',
    about: 'Cost and tokens of all listed conversations.',
    answer: shapes.usage,
    run: async (_input, { conversations: { all } }) => total(all.map(usageOf)),
  },
  {
    method: 'get',
    path: '/limits',
    name: 'readLimits',
    tag: 'Usage',
    about: 'The usage limits of each login: how full each window is, and when it resets.',
    answer: shapes.pageOf(shapes.limits, 'logins'),
    run: async (_input, { conversations: { all } }) => ({
      items: latestLimits(all.map(({ limits }) => limits)),
      next: null,
    }),
  },
  {
    method: 'get',
    path: '/events',
    name: 'streamConversations',
    tag: 'Server',
    about:
      'Stream changes of conversations: `session` with the current state of one, `session-removed` with an id.',
    streams: 'server',
  },
  {
    method: 'get',
    path: '/server',
    name: 'readServer',
    tag: 'Server',
    about: 'Describe the server, and what your key allows.',
    answer: shapes.server,
    run: async (_input, { server, visitor: { role, key } }) => ({ ...server, role, key }),
  },
  {
    method: 'get',
    path: '/folders',
    name: 'listFolders',
    tag: 'Server',
    about: 'List the folders in a folder below a root, or the roots.',
    query: z.strictObject({ in: z.string().min(1).optional() }),
    answer: z
      .object({ folders: z.array(z.object({ name: z.string(), path: z.string() })) })
      .describe('Folders that conversations may work in.'),
    command: 'folders',
  },
];

/** Every route. The router and the OpenAPI document are generated from this. */
export const routes: readonly Route[] = [
  ...conversations,
  ...messages,
  ...prompts,
  ...controlRoutes,
  ...fileRoutes,
  ...gitRoutes,
  ...deviceRoutes,
  ...webhookRoutes,
  ...transcriptRoutes,
  ...others,
];

function summaryOf({ conversations: { find } }: RouteParts, id = '') {
  return find(id);
}

type Used = ReturnType<typeof usageOf>;

function total(all: readonly Used[]): Pick<Used, 'costUsd' | 'tokens'> {
  const sum = (pick: (used: Used) => number) => all.reduce((so, used) => so + pick(used), 0);
  return {
    costUsd: sum(({ costUsd }) => costUsd),
    tokens: {
      input: sum(({ tokens }) => tokens.input),
      output: sum(({ tokens }) => tokens.output),
      cacheRead: sum(({ tokens }) => tokens.cacheRead),
      cacheCreation: sum(({ tokens }) => tokens.cacheCreation),
    },
  };
}
