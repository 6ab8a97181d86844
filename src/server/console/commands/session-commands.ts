import type { SendParams, SessionCommands } from '../../../entry/remote/contract.js';
import { endpointNames } from '../../../host/session/endpoints/endpoint-table.js';
import type { SupportName } from '../../../host/session/endpoints/support.js';
import type { Session } from '../../../host/session/session.js';
import type { UserInput, UserMessage } from '../../../host/session/turns/user-message.js';
import { type HostRequestName, hostRequests } from '../../../wire/protocol/catalog/catalog.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { either, kind, kinds, listOf, oneOf } from '../../../wire/util/option-checks.js';
import { requestBeyondAsking } from '../sessions/beyond-asking.js';
import { type Setting, settingOf } from '../sessions/session-settings.js';
import { exportOf, pendingOf } from '../sessions/session-views.js';
import { asked, type CommandContext, type CommandTable, cli } from './command.js';
import { fileCommands } from './file-commands.js';
import { gitCommands } from './git-commands.js';
import { mcpCommands } from './mcp-commands.js';
import { answersOnce, rewindsDry, sendsContent, switchesToAsking } from './operator-rules.js';

const nothing = {};
const answerKind = kind('an answer', (value) => isObject(value) && typeof value.answer === 'string');
const anything = kind('anything', () => true);

const MOST_TAGS = 20;
const LONGEST_TAG = 50;
const tags = kind(
  `a list of at most ${MOST_TAGS} texts of at most ${LONGEST_TAG} characters`,
  (value) =>
    Array.isArray(value) &&
    value.length <= MOST_TAGS &&
    value.every((tag) => typeof tag === 'string' && tag.trim() !== '' && tag.length <= LONGEST_TAG),
);

/** Reported to clients: how each of these is served. */
const SUPPORTED = [
  ...new Set<SupportName>([...endpointNames, ...(Object.keys(hostRequests) as HostRequestName[])]),
];

/** The maximum time for a program's control request; its own deadline is usually shorter. */
const PROGRAM_DEADLINE_MS = 15 * 60_000;

/** The commands that open, end and talk to a session. */
const conversation: CommandTable<
  | 'close'
  | 'remove'
  | 'reopen'
  | 'park'
  | 'export'
  | 'schedule'
  | 'unschedule'
  | 'endWorkspace'
  | 'send'
  | 'unsend'
  | 'interrupt'
  | 'answer'
  | 'rename'
  | 'setMarks'
  | 'setBudget'
  | 'reply'
> = {
  close: {
    role: 'operator',
    acts: true,
    run: async (_params, { session, registry }) => {
      await registry.end(await session());
      return nothing;
    },
  },
  remove: {
    role: 'owner',
    acts: true,
    takes: { transcript: kinds.flag },
    run: async ({ transcript = false }, { session, registry, history }) => {
      const found = await session();
      await registry.remove(found);
      if (transcript) await history.delete(found.summary);
      return nothing;
    },
  },
  reopen: {
    role: 'operator',
    acts: true,
    run: async (_params, { session, registry }) => {
      await registry.reopen(await session());
      return nothing;
    },
  },
  park: {
    role: 'operator',
    acts: true,
    run: async (_params, { session, registry }) => {
      await registry.park(await session());
      return nothing;
    },
  },
  export: {
    role: 'operator',
    acts: false,
    run: async (_params, { session }) => exportOf(await session()),
  },
  schedule: {
    role: 'owner',
    acts: true,
    needs: { cron: kinds.text, timezone: kinds.text, text: kinds.text },
    takes: { missed: oneOf('skip', 'once') },
    run: async (params, { session, registry }) => {
      const found = await session();
      await found.untilGone();
      if (found.state === 'ended') throw new CoxswainError('SESSION_ENDED', 'The session has ended.');
      // An earlier server had it: only when it is reopened is it known what its next CLI continues, and checked.
      if (found.state === 'parked' && !found.isBegun) await registry.reopen(found);
      found.begun().schedule(params);
      return nothing;
    },
  },
  unschedule: {
    role: 'operator',
    acts: true,
    run: async (_params, { session }) => {
      const found = await session();
      if (found.summary.schedule !== undefined) found.begun().unschedule();
      return nothing;
    },
  },
  endWorkspace: {
    role: 'owner',
    acts: true,
    needs: { end: oneOf('merge', 'commit-and-merge', 'remove') },
    takes: { discardIgnored: either(kinds.flag, listOf(kinds.text)) },
    run: async ({ end, ...options }, { session, registry, worktrees }) => {
      const found = await session();
      worktrees.check(found.opened.cwd);
      await registry.park(found);
      await worktrees.endOf(found.opened.cwd, { how: end, ...options }, () => registry.inUse);
      return nothing;
    },
  },
  send: {
    role: 'owner',
    operatorMay: sendsContent,
    acts: true,
    takes: {
      content: either(kinds.anyText, listOf(kinds.record)),
      priority: oneOf('now', 'next', 'later'),
      parentUuid: either(kinds.text, kinds.null),
      message: kinds.record,
      whileBusy: oneOf('enqueue', 'join', 'reject', 'interrupt', 'replace'),
      resend: kinds.flag,
      onLimit: oneOf('wait', 'fail'),
      reopen: kinds.flag,
    },
    run: async (params, { session, registry, id, by }) => {
      const uuid = uuidOf(params, id);
      const { content: _content, message: _message, reopen = false, ...given } = params;
      const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const input = inputOf(params);
      const found = await session();
      if (await found.repeats(uuid)) return { uuid };
      await found.untilGone();
      const isAway = found.state === 'parked' || (reopen && found.state === 'ended');
      if (isAway) await registry.reopen(found);
      await found.untilSendable();
      found.send(input, { ...options, uuid }, by);
      return { uuid };
    },
  },
  unsend: {
    role: 'operator',
    acts: true,
    needs: { uuid: kinds.text },
    run: async ({ uuid }, { session }) => ({ cancelled: await (await session()).takeBack(uuid) }),
  },
  interrupt: {
    role: 'operator',
    acts: true,
    takes: { cancelQueued: kinds.flag },
    run: async ({ cancelQueued = false }, context) => {
      const { connected } = await context.session();
      return connected.interrupt({ cancelQueued, signal: context.signal });
    },
  },
  answer: {
    role: 'owner',
    operatorMay: answersOnce,
    acts: true,
    needs: { prompt: kinds.text, answer: answerKind },
    run: async ({ prompt, answer }, { session, registry, id, by: { client, name, key } }) => {
      const found = await session();
      // The answer goes to a CLI that resumes the conversation.
      if (found.state === 'parked' && found.prompts.isOpen(prompt)) await registry.reopen(found);
      const given = await found.answer(prompt, answer, { client, name, key });
      const message = answer.answer === 'allow' ? answer.message : undefined;
      if (given.accepted && typeof message === 'string') {
        await found.untilSendable();
        found.send(message, { uuid: id }, { client, name, key });
      }
      return given;
    },
  },
  rename: {
    role: 'operator',
    acts: true,
    needs: { title: kinds.text },
    run: async ({ title }, { session }) => {
      (await session()).rename(title);
      return nothing;
    },
  },
  setMarks: {
    role: 'operator',
    acts: true,
    takes: { pinned: kinds.flag, archived: kinds.flag, tags },
    run: async (params, { session }) => {
      (await session()).setMarks(params);
      return nothing;
    },
  },
  setBudget: {
    role: 'owner',
    acts: true,
    needs: { usd: either(kinds.positiveNumber, kinds.null) },
    run: async ({ usd }, { session }) => {
      (await session()).setBudget(usd ?? undefined);
      return nothing;
    },
  },
  reply: {
    role: 'owner',
    acts: true,
    needs: { request: kinds.text, ok: kinds.flag },
    takes: { value: anything, error: kinds.anyText },
    run: async ({ request, ok, value, error }, { session }) => ({
      accepted: (await session()).reply(request, { ok, value, ...(error === undefined ? {} : { error }) }),
    }),
  },
};

/** The commands that ask the CLI. */
const controls: CommandTable<
  Exclude<
    keyof SessionCommands,
    | keyof typeof conversation
    | keyof typeof mcpCommands
    | keyof typeof fileCommands
    | keyof typeof gitCommands
  >
> = {
  setModel: {
    role: 'operator',
    acts: true,
    needs: { model: either(kinds.text, kinds.null) },
    run: ({ model }, context) =>
      set(context, settingOf('set_model', { model }), (cli) => cli.setModel(model, asked(context))),
  },
  setPermissionMode: {
    role: 'owner',
    operatorMay: switchesToAsking,
    acts: true,
    needs: { mode: kinds.text },
    run: ({ mode }, context) =>
      set(context, settingOf('set_permission_mode', { mode }), (cli) =>
        cli.control('set_permission_mode', { mode: mode as 'default' }, asked(context)),
      ),
  },
  setThinking: {
    role: 'operator',
    acts: true,
    needs: { tokens: either(kinds.count, kinds.null) },
    run: async ({ tokens }, context) => {
      const setting = settingOf('set_max_thinking_tokens', { max_thinking_tokens: tokens });
      await set(context, setting, (cli) => cli.setMaxThinkingTokens(tokens, asked(context)));
      return nothing;
    },
  },
  background: {
    role: 'operator',
    acts: true,
    takes: { target: kinds.text },
    run: async ({ target }, context) => ({
      ...(await (await cli(context)).background(target, asked(context))),
    }),
  },
  stopTask: {
    role: 'operator',
    acts: true,
    needs: { task: kinds.text },
    run: async ({ task }, context) => {
      await (await cli(context)).tasks.stop(task, asked(context));
      return nothing;
    },
  },
  taskOutput: {
    role: 'operator',
    acts: false,
    needs: { task: kinds.text },
    run: async ({ task }, context) => (await cli(context)).tasks.output(task, asked(context)),
  },
  rewind: {
    role: 'owner',
    operatorMay: rewindsDry,
    acts: true,
    needs: { message: kinds.text },
    takes: { dryRun: kinds.flag },
    run: async ({ message, dryRun }, context) =>
      (await (await cli(context)).rewind(message, { dryRun, ...asked(context) })) as WireObject,
  },
  contextUsage: {
    role: 'operator',
    acts: false,
    run: async (_params, context) =>
      (await cli(context)).control<string>('get_context_usage', {}, asked(context)),
  },
  info: {
    role: 'operator',
    acts: false,
    run: async (_params, context) => {
      const session = await context.session();
      const { connected } = session;
      const supports = await Promise.all(
        SUPPORTED.map(async (name) => [name, { ...(await connected.supports(name)) }] as const),
      );
      return {
        ...session.view(connected),
        supports: Object.fromEntries(supports),
        pending: pendingOf(session),
      };
    },
  },
  control: {
    role: 'owner',
    acts: true,
    needs: { subtype: kinds.text },
    takes: { params: kinds.record, deadlineMs: kinds.positiveNumber },
    run: async ({ subtype, params = {}, deadlineMs }, context) => {
      if (subtype === 'initialize') {
        // Another one would replace the hooks and servers of the program that opened the session.
        throw new CoxswainError(
          'COMMAND_INVALID',
          'Clients cannot send initialize; the server does that when it starts the CLI.',
        );
      }
      const patient = context.by.kind === 'program' ? PROGRAM_DEADLINE_MS : undefined;
      const limit = Math.min(deadlineMs ?? patient ?? Number.POSITIVE_INFINITY, PROGRAM_DEADLINE_MS);
      const options = deadlineMs === undefined && patient === undefined ? {} : { deadlineMs: limit };
      const session = await context.session();
      const answer = await session.connected.control(subtype, params, { ...asked(context), ...options });
      session.noteSetting(settingOf(subtype, params));
      session.noteAllowed(requestBeyondAsking(subtype));
      return answer;
    },
  },
};

/** Commands that are about a session. */
export const sessionCommands: CommandTable<keyof SessionCommands> = {
  ...conversation,
  ...mcpCommands,
  ...fileCommands,
  ...gitCommands,
  ...controls,
};

/** Changes a setting of the running CLI and of later ones. A parked session has no CLI: the next one starts with it. */
async function set<Answer>(
  context: CommandContext,
  setting: Setting,
  ask: (cli: Session) => Promise<Answer>,
): Promise<Answer | typeof nothing> {
  const session = await context.session();
  const answer = session.state === 'parked' ? nothing : await ask(session.connected);
  session.noteSetting(setting);
  return answer;
}

/** A repeated command, even to a server that restarted in between, is one message to the CLI. */
function uuidOf({ message }: SendParams, id: string): string {
  return typeof message?.uuid === 'string' ? message.uuid : id;
}

function inputOf({ content, message }: SendParams): UserInput {
  // The session refuses anything but a user message before it is sent.
  if (message !== undefined) return message as UserMessage;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw new CoxswainError('COMMAND_INVALID', 'send needs "content".');
  return content.map((block) => ({ ...block, type: String(block.type) })) as UserInput;
}
