import { expect, test } from 'vitest';
import { query } from '../../../../../src/entry/compat/query/query.js';
import type { SDKUserMessage } from '../../../../../src/entry/compat/types/message-types.js';
import type { Query } from '../../../../../src/entry/compat/types/query-types.js';
import { isObject, type WireObject } from '../../../../../src/wire/protocol/frames.js';
import { deferred } from '../../../../../src/wire/util/deferred.js';
import { fakeCli, INIT } from '../fake-process.js';

const FACTS = {
  claude_code_version: '2.1.326',
  commands: [{ name: 'help', description: '', argumentHint: '' }],
  models: [{ value: 'm', displayName: 'M', description: '' }],
  account: { email: 'a@b' },
};

function answer({ subtype }: WireObject): WireObject {
  if (subtype === 'initialize') return FACTS;
  if (subtype === 'mcp_status') return { mcpServers: [{ name: 'x', status: 'connected' }] };
  return subtype === 'interrupt' ? { still_queued: ['u'] } : {};
}

test.each<[string, (run: Query) => Promise<unknown>, WireObject, unknown?]>([
  [
    'interrupt',
    (run) => run.interrupt({ cancelQueued: true }),
    { cancel_queued: true },
    { still_queued: ['u'] },
  ],
  ['set_permission_mode', (run) => run.setPermissionMode('plan'), { mode: 'plan' }],
  [
    'set_mcp_permission_mode_override',
    (run) => run.setMcpPermissionModeOverride('s', null),
    { serverName: 's', mode: null },
    {},
  ],
  ['set_model', (run) => run.setModel(), {}],
  [
    'set_max_thinking_tokens',
    (run) => run.setMaxThinkingTokens(null, 'omitted'),
    { max_thinking_tokens: null, thinking_display: 'omitted' },
  ],
  ['apply_flag_settings', (run) => run.applyFlagSettings({ a: 1 }), { settings: { a: 1 } }],
  [
    'update_settings',
    (run) => run.updateSettings('userSettings', { a: 1 }),
    { source: 'userSettings', settings: { a: 1 } },
  ],
  ['initialize', (run) => run.reinitialize(), { systemPrompt: [''] }, FACTS],
  ['mcp_status', (run) => run.mcpServerStatus(), {}, [{ name: 'x', status: 'connected' }]],
  ['mcp_reconnect', (run) => run.reconnectMcpServer('s'), { serverName: 's' }],
  ['mcp_toggle', (run) => run.toggleMcpServer('s', false), { serverName: 's', enabled: false }],
  [
    'mcp_set_servers',
    (run) => run.setMcpServers({ f: { command: 'x', args: [] } }),
    { servers: { f: { command: 'x', args: [] } } },
    { added: [], removed: [], errors: {} },
  ],
  ['mcp_read_resource', (run) => run.readMcpResource('s', 'ui://x'), { serverName: 's', uri: 'ui://x' }, {}],
  ['get_context_usage', (run) => run.getContextUsage({ detail: 'summary' }), { detail: 'summary' }, {}],
  [
    'get_usage',
    (run) => run.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET({ skipBehaviors: true }),
    { skip_behaviors: true },
    {},
  ],
  [
    'read_file',
    (run) => run.readFile('p', { maxBytes: 5, encoding: 'base64' }),
    { path: 'p', max_bytes: 5, encoding: 'base64' },
    {},
  ],
  ['seed_read_state', (run) => run.seedReadState('p', 5), { path: 'p', mtime: 5 }],
  [
    'rewind_files',
    (run) => run.rewindFiles('u', { dryRun: true }),
    { user_message_id: 'u', dry_run: true },
    {},
  ],
  ['reload_plugins', (run) => run.reloadPlugins({ refuseIfBusy: true }), { refuse_if_busy: true }, {}],
  ['reload_skills', (run) => run.reloadSkills(), {}, {}],
  ['reload_output_styles', (run) => run.reloadOutputStyles(), {}, {}],
  ['stop_task', (run) => run.stopTask('t'), { task_id: 't' }],
  ['background_tasks', (run) => run.backgroundTasks('tu'), { tool_use_id: 'tu' }, true],
])('%s is sent and answered', async (subtype, ask, params, expected) => {
  const { options, started } = fakeCli({ onUser: () => {}, onRequest: answer });
  await using run = query({ prompt: 'hi', options });
  await run.initializationResult();
  expect(await ask(run)).toEqual(expected);
  expect(started[0]?.heard.at(-1)).toMatchObject({ request: { subtype, ...params } });
});

test('information from the start of the CLI can be queried, and commands follow its changes', async () => {
  const commands = [{ name: 'new' }];
  const { options } = fakeCli({
    onUser: (cli) => {
      cli.say({ type: 'system', subtype: 'commands_changed', commands });
      cli.say(INIT);
    },
    onRequest: answer,
  });
  await using run = query({ prompt: 'hi', options });
  expect(await run.supportedModels()).toEqual(FACTS.models);
  expect(await run.accountInfo()).toEqual(FACTS.account);
  expect(await run.supportedAgents()).toEqual([]);
  await run.next();
  expect(await run.supportedCommands()).toEqual(commands);
});

test('a refusal throws the CLI’s message and code; an unreadable file is null', async () => {
  const { options, started } = fakeCli({
    onUser: () => {},
    onRequest: ({ subtype }) => (subtype === 'initialize' ? {} : null),
  });
  await using run = query({ prompt: 'hi', options });
  await run.initializationResult();
  const refuse = () => {
    const request_id = started[0]?.heard.at(-1)?.request_id;
    const response = { subtype: 'error', request_id, error: 'not now', error_code: 'busy' };
    started[0]?.say({ type: 'control_response', response });
  };
  const model = run.setModel('x');
  setImmediate(refuse);
  await expect(model).rejects.toMatchObject({ message: 'not now', errorCode: 'busy' });
  const file = run.readFile('x');
  setImmediate(refuse);
  expect(await file).toBeNull();
});

test('a CLI of unknown version gets every request that it cannot misread, and the others once it reports its version', async () => {
  const { options, started } = fakeCli({
    version: null,
    onUser: (cli) => cli.say({ ...INIT, claude_code_version: '2.1.140' }),
  });
  const run = query({ prompt: messages(), options });
  await run.mcpServerStatus();
  await run.getContextUsage();
  await expect(run.setPermissionMode('auto')).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
  letGo();
  expect((await run.next()).value).toMatchObject({ subtype: 'init' });
  await run.setPermissionMode('auto');
  const sent = started[0]?.heard.flatMap(({ request }) => (isObject(request) ? [request.subtype] : []));
  expect(sent).toEqual(['initialize', 'mcp_status', 'get_context_usage', 'set_permission_mode']);
  run.close();
});

const go = deferred<void>();
const letGo = () => go.resolve();

/** A prompt that waits, and then leaves the input open. */
async function* messages(): AsyncIterable<SDKUserMessage> {
  await go.promise;
  yield {
    type: 'user',
    message: { role: 'user', content: 'Hi' },
    parent_tool_use_id: null,
  } as SDKUserMessage;
  await new Promise(() => {});
}
