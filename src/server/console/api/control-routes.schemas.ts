import { z } from 'zod';
import type { CommandName, CommandParams } from '../../../entry/remote/contract.js';
import type { Route } from './route.js';
import * as shapes from './shapes.schemas.js';

const one = '/conversations/{conversation}';

/** Sets something with a body whose fields are the parameters of a command. */
function setting<Name extends CommandName>(
  path: string,
  { command, about, body }: { command: Name; about: string; body: z.ZodType<CommandParams<Name>> },
): Route {
  return {
    method: 'put',
    path: `${one}/${path}`,
    name: command,
    tag: 'Control',
    about,
    body: body.describe(about),
    answer: shapes.cliAnswer,
    command,
  };
}

/** An action on one MCP server. */
function action(command: 'mcp.reconnect' | 'mcp.enable' | 'mcp.disable', about: string): Route {
  const [, verb] = command.split('.');
  return {
    method: 'post',
    path: `${one}/mcp/{server}/${verb}`,
    name: `${verb}McpServer`,
    tag: 'MCP',
    about,
    answer: shapes.cliAnswer,
    command,
  };
}

/** Changes MCP servers with a body. */
function change(method: 'post' | 'put', command: 'mcp.add' | 'mcp.set', about: string): Route {
  return {
    method,
    path: `${one}/mcp`,
    name: command === 'mcp.add' ? 'addMcpServers' : 'setMcpServers',
    tag: 'MCP',
    about,
    body: shapes.serversBody,
    answer: shapes.serversChanged,
    command,
  };
}

/** Changes how a conversation continues. */
export const controlRoutes: readonly Route[] = [
  setting('title', {
    command: 'rename',
    about: 'Set the title of a conversation.',
    body: z.strictObject({ title: z.string().min(1) }),
  }),
  setting('marks', {
    command: 'setMarks',
    about: 'Pin, archive or tag a conversation; what is missing stays as it is.',
    body: z.strictObject({
      pinned: z.boolean().optional().describe('Whether lists show it first.'),
      archived: z.boolean().optional().describe('Whether lists hide it until it continues.'),
      tags: z.array(z.string().min(1).max(50)).max(20).optional().describe('All its tags.'),
    }),
  }),
  setting('model', {
    command: 'setModel',
    about: 'Set the model; null for the default.',
    body: z.strictObject({ model: z.string().min(1).nullable() }),
  }),
  setting('mode', {
    command: 'setPermissionMode',
    about: 'Switch the permission mode.',
    body: z.strictObject({ mode: z.string().min(1) }),
  }),
  setting('thinking', {
    command: 'setThinking',
    about: 'Limit the tokens spent on thinking; null for no limit, 0 for no thinking.',
    body: z.strictObject({ tokens: z.int().nonnegative().nullable() }),
  }),
  setting('budget', {
    command: 'setBudget',
    about: 'Set what a conversation may cost before it asks, in dollars; null for no limit.',
    body: z.strictObject({ usd: z.number().positive().nullable() }),
  }),
  setting('schedule', {
    command: 'schedule',
    about: 'Send a message at certain times; a time is skipped if the previous message is not done.',
    body: shapes.scheduleBody,
  }),
  {
    method: 'delete',
    path: `${one}/schedule`,
    name: 'unschedule',
    tag: 'Control',
    about: 'End the schedule of a conversation.',
    command: 'unschedule',
  },
  {
    method: 'post',
    path: `${one}/workspace/end`,
    name: 'endWorkspace',
    tag: 'Control',
    about:
      'Park a conversation and end its worktree. Removed work is kept under `refs/coxswain/kept` for 30 days.',
    body: z
      .strictObject({
        end: z.enum(['merge', 'commit-and-merge', 'remove']),
        discardIgnored: z.union([z.boolean(), z.array(z.string())]).optional(),
      })
      .describe('How to end it.'),
    command: 'endWorkspace',
  },
  {
    method: 'get',
    path: `${one}/export`,
    name: 'exportConversation',
    tag: 'Conversations',
    about: 'Show what is stored of a conversation besides its messages.',
    answer: shapes.exported,
    command: 'export',
  },
  {
    method: 'post',
    path: `${one}/rewind`,
    name: 'rewind',
    tag: 'Control',
    about: 'Restore files to their state at a message; with `dryRun`, only report what would change.',
    body: z
      .strictObject({ message: z.string().min(1), dryRun: z.boolean().optional() })
      .describe('The message to go back to.'),
    answer: shapes.cliAnswer,
    command: 'rewind',
  },
  {
    method: 'get',
    path: `${one}/context`,
    name: 'readContext',
    tag: 'Control',
    about: 'Show the context usage by category.',
    answer: shapes.cliAnswer,
    command: 'contextUsage',
  },
  {
    method: 'get',
    path: `${one}/info`,
    name: 'readInfo',
    tag: 'Control',
    about: 'Describe the CLI and what it supports.',
    answer: shapes.cliAnswer,
    command: 'info',
  },
  {
    method: 'post',
    path: `${one}/control`,
    name: 'control',
    tag: 'Control',
    about: 'Send any control request to the CLI as it is.',
    body: z
      .strictObject({
        subtype: z.string().min(1),
        params: z.looseObject({}).optional(),
        deadlineMs: z.number().positive().optional(),
      })
      .describe('A control request.'),
    answer: shapes.cliAnswer,
    command: 'control',
  },
  {
    method: 'get',
    path: `${one}/mcp`,
    name: 'listMcpServers',
    tag: 'MCP',
    about: 'List the MCP servers of a conversation; asks the CLI each time.',
    answer: z
      .looseObject({ servers: z.array(z.looseObject({ name: z.string(), status: z.string() })) })
      .describe('MCP servers with the possible actions for each.'),
    command: 'mcp.status',
  },
  change('post', 'mcp.add', 'Add MCP servers, or replace those with the same names.'),
  change('put', 'mcp.set', 'Replace the MCP servers that were added.'),
  {
    method: 'get',
    path: `${one}/mcp/tools`,
    name: 'listMcpTools',
    tag: 'MCP',
    about: 'The tools of MCP servers.',
    query: z.strictObject({
      server: z.string().min(1).optional().describe('Only the tools of this server.'),
    }),
    answer: z.object({ tools: z.array(z.looseObject({})) }).describe('The tools of MCP servers.'),
    command: 'mcp.tools',
  },
  {
    method: 'delete',
    path: `${one}/mcp/{server}`,
    name: 'removeMcpServer',
    tag: 'MCP',
    about: 'Remove an MCP server.',
    answer: shapes.serversChanged,
    command: 'mcp.remove',
  },
  {
    method: 'post',
    path: `${one}/mcp/{server}/sign-in`,
    name: 'signInToMcpServer',
    tag: 'MCP',
    about: 'Start a sign-in to an MCP server; returns the address of the page to open.',
    answer: z
      .object({ address: z.string().optional() })
      .describe('Where to sign in; absent if that is not needed.'),
    command: 'mcp.signIn',
  },
  {
    method: 'put',
    path: `${one}/mcp/{server}/sign-in`,
    name: 'finishMcpSignIn',
    tag: 'MCP',
    about: 'Submit the callback URL of a sign-in that the CLI could not receive itself.',
    body: z.strictObject({ address: z.string().min(1) }).describe('Where the sign-in ended.'),
    answer: shapes.cliAnswer,
    command: 'mcp.signInDone',
  },
  {
    method: 'delete',
    path: `${one}/mcp/{server}/sign-in`,
    name: 'signOutOfMcpServer',
    tag: 'MCP',
    about: 'Delete the sign-in of an MCP server.',
    answer: shapes.cliAnswer,
    command: 'mcp.signOut',
  },
  {
    method: 'get',
    path: `${one}/hooks`,
    name: 'listHooks',
    tag: 'Control',
    about: 'List the hooks of settings files and plugins.',
    answer: z
      .looseObject({
        hooks: z.array(
          z.object({
            event: z.string(),
            matcher: z.string().optional(),
            source: z.string(),
            text: z.string(),
          }),
        ),
      })
      .describe('Hooks, and whether the CLI lists them.'),
    command: 'hooks',
  },
  action('mcp.reconnect', 'Reconnect an MCP server.'),
  action('mcp.enable', 'Enable an MCP server.'),
  action('mcp.disable', 'Disable an MCP server.'),
];
