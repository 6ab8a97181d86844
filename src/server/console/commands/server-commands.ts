import type { ServerCommands } from '../../../entry/remote/contract.js';
import { efforts } from '../../../host/cli/options/cli-options.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { either, kind, kinds, listOf, oneOf, shapeOf } from '../../../wire/util/option-checks.js';
import type { ConsoleSession } from '../sessions/console-session.js';
import type { CommandTable } from './command.js';
import { deviceCommands } from './device-commands.js';
import { commandError } from './errors.js';
import { opensAsking } from './operator-rules.js';
import { pushCommands } from './push-commands.js';
import { webhookCommands } from './webhook-commands.js';
import { openInWorktree, worktreeCommands } from './worktree-commands.js';

const none = kind('nothing', (value) => value === undefined);
const action = oneOf('reconnect', 'enable', 'disable');

/** Commands about the server. */
export const serverCommands: CommandTable<keyof ServerCommands> = {
  ...deviceCommands,
  ...pushCommands,
  ...webhookCommands,
  ...worktreeCommands,
  open: {
    role: 'owner',
    operatorMay: opensAsking,
    acts: true,
    takes: {
      cwd: kinds.text,
      id: kinds.uuid,
      join: kinds.flag,
      title: kinds.text,
      model: kinds.text,
      permissionMode: kinds.text,
      maxThinkingTokens: either(kinds.count, kinds.null),
      effort: oneOf(...efforts),
      chrome: kinds.flag,
      resume: kinds.text,
      forkSession: kinds.flag,
      before: kinds.text,
      maxBudgetUsd: kinds.positiveNumber,
      defer: listOf(kinds.text),
      workspace: oneOf('shared', 'worktree'),
      disabledServers: listOf(kinds.text),
      place: shapeOf({ priority: kinds.number, labels: listOf(kinds.text), cli: kinds.text }),
      program: either(
        shapeOf({ options: kinds.record, initialize: kinds.record, detached: kinds.flag }),
        none,
      ),
    },
    // Does not wait if the session does not exist yet: a client may attach immediately.
    run: (request, context) => {
      const { registry, history, folders, by } = context;
      const { cwd = folders.roots[0] ?? '' } = request;
      const params = { ...request, cwd };
      if (params.place !== undefined) return Promise.reject(noFleet());
      const { program, defer } = params;
      if (defer !== undefined && program !== undefined && program.detached !== true)
        return Promise.reject(ownHooks());
      if (params.workspace === 'worktree') return openInWorktree(params, context);
      return params.before === undefined
        ? registry.open(params, by)
        : history.cutCopy(params, params.before).then((copy) => registry.open(copy, by));
    },
  },
  history: {
    role: 'operator',
    acts: false,
    takes: { cwd: kinds.text, search: kinds.anyText, limit: kinds.positiveCount },
    run: async (params, { history, registry }) => ({ conversations: await history.list(params, registry) }),
  },
  'history.messages': {
    role: 'operator',
    acts: false,
    needs: { conversation: kinds.uuid },
    takes: {
      cwd: kinds.text,
      limit: kinds.count,
      offset: kinds.count,
      includeSystemMessages: kinds.flag,
    },
    run: async ({ conversation, cwd, ...page }, { history }) => ({
      messages: await history.messages(conversation, cwd, page),
    }),
  },
  'history.search': {
    role: 'operator',
    acts: false,
    needs: { text: kinds.text },
    takes: { cwd: kinds.text, after: kinds.text },
    run: (params, { history, registry, signal }) => history.search(params, registry, signal),
  },
  'history.usage': {
    role: 'operator',
    acts: false,
    takes: { days: kinds.positiveCount, after: kinds.text },
    run: (params, { history, signal }) => history.usage(params, signal),
  },
  folders: {
    role: 'operator',
    acts: false,
    takes: { in: kinds.text },
    run: async (params, { folders }) => ({ folders: await folders.list(params.in) }),
  },
  'mcp.all': {
    role: 'owner',
    acts: true,
    needs: { action, server: kinds.text },
    run: async (params, { registry, signal }) => {
      const open = registry.all.filter(({ ready }) => ready !== undefined);
      const results = await Promise.all(open.map((session) => actOn(session, params, signal)));
      return { results: results.filter((result) => result !== undefined) };
    },
  },
};

function ownHooks(): CoxswainError {
  const message =
    '"defer" does not go with a program that answers its own hooks: return "defer" from its PreToolUse hook.';
  return new CoxswainError('COMMAND_INVALID', message);
}

function noFleet(): CoxswainError {
  return new CoxswainError(
    'COMMAND_INVALID',
    '"place" works only on a fleet gateway; this console has no workers.',
  );
}

type ActOnAll = ServerCommands['mcp.all'];
type Result = ActOnAll['value']['results'][number];

/** A session without such a server is left out. */
async function actOn(
  session: ConsoleSession,
  { action: name, server }: ActOnAll['params'],
  signal: AbortSignal,
): Promise<Result | undefined> {
  const { id } = session;
  try {
    const { mcp } = session.connected;
    const { mcpServers } = await mcp.status({ signal });
    if (!mcpServers.some((row) => row.name === server)) return undefined;
    return { session: id, ok: true, value: await mcp[name](server, { signal }) };
  } catch (error) {
    return { session: id, ok: false, error: commandError(error) };
  }
}
