import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CLOSE_CODES, type CommandName, type Role } from '../../src/entry/remote/contract.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { commands, mayRun } from '../../src/server/console/commands/command-table.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import { BareClient, eventIn, startEmulatedConsole, temporaryFolder, trySocket } from '../support/console.js';

const scenario = () => [
  onUser(undefined, [useTool('Bash', { command: 'ls' }, { ask: true }), say('Done.')], {
    times: 'any' as const,
  }),
];

/** A console with a key of each role. */
async function begin() {
  const stateFolder = await temporaryFolder();
  const file = new KeyFile(stateFolder);
  const tokens = {
    owner: file.add('laptop', 'owner'),
    operator: file.add('phone', 'operator'),
    watcher: file.add('wall', 'watcher'),
  };
  const started = await startEmulatedConsole(scenario, { stateFolder });
  return { ...started, file, tokens };
}

const names = Object.keys(commands) as CommandName[];
const ALLOWED_TO_OPERATORS = new Set<CommandName>([
  'push',
  'push.add',
  'push.remove',
  'open',
  'export',
  'history',
  'history.messages',
  'history.search',
  'history.usage',
  'folders',
  'worktrees',
  'close',
  'reopen',
  'unschedule',
  'park',
  'send',
  'unsend',
  'interrupt',
  'answer',
  'rename',
  'setMarks',
  'setModel',
  'setThinking',
  'background',
  'stopTask',
  'taskOutput',
  'contextUsage',
  'files',
  'folder',
  'git.status',
  'git.hunks',
  'file',
  'changes',
  'change',
  'info',
  'supports',
  'mcp.status',
  'mcp.tools',
  'hooks',
  'chrome.status',
]);

describe('every command, by role', () => {
  const rows = names.flatMap((name) =>
    (['owner', 'operator', 'watcher'] as const).map((role) => ({
      name,
      role,
      allowed: role === 'owner' || (role === 'operator' && ALLOWED_TO_OPERATORS.has(name)),
    })),
  );

  test('is checked by the server', async () => {
    const { server, tokens } = await begin();
    expect(rows.length).toBe(names.length * 3);
    const clients = new Map<Role, BareClient>();
    for (const role of ['owner', 'operator', 'watcher'] as const)
      clients.set(role, await BareClient.connect(server, { token: tokens[role] }));
    for (const { name, role, allowed } of rows) {
      const done = await clients.get(role)?.command(name, {} as never);
      const refused = done?.ok === false && done.error.code === 'ROLE_REFUSED';
      expect(refused, `${name} for ${role}`).toBe(!allowed);
    }
  });

  test.each<[CommandName, unknown, boolean]>([
    ['open', { cwd: '/' }, true],
    ['open', { cwd: '/', permissionMode: 'plan' }, true],
    ['open', { cwd: '/', permissionMode: 'acceptEdits' }, false],
    ['open', { cwd: '/', permissionMode: 'bypassPermissions' }, false],
    ['open', { cwd: '/', program: { options: {}, initialize: {} } }, false],
    ['open', { cwd: '/', workspace: 'shared' }, true],
    ['open', { cwd: '/', effort: 'high', chrome: false }, true],
    ['open', { cwd: '/', chrome: true }, false],
    ['open', { cwd: '/', workspace: 'worktree' }, false],
    ['send', { content: 'hello' }, true],
    ['send', { message: { type: 'user', permissionMode: 'acceptEdits' } }, false],
    ['answer', { prompt: 'p', answer: { answer: 'allow' } }, true],
    ['answer', { prompt: 'p', answer: { answer: 'deny', reason: 'no' } }, true],
    ['answer', { prompt: 'p', answer: { answer: 'allow', permissions: [] } }, false],
    ['answer', { prompt: 'p', answer: { answer: 'allow', remember: ['0:session'] } }, false],
    ['answer', { prompt: 'p', answer: { answer: 'raw', value: {} } }, false],
    ['answer', { prompt: 'p', answer: { answer: 'approve' } }, true],
    ['answer', { prompt: 'p', answer: { answer: 'approve', mode: 'acceptEdits' } }, false],
    ['setPermissionMode', { mode: 'default' }, true],
    ['setPermissionMode', { mode: 'acceptEdits' }, false],
    ['setPermissionMode', { mode: 'a mode that is new' }, false],
    ['rewind', { message: 'm', dryRun: true }, true],
    ['rewind', { message: 'm' }, false],
    ['control', { subtype: 'apply_flag_settings' }, false],
    ['control', { subtype: 'mcp_set_servers' }, false],
  ])('an operator’s %s %j: %s', (name, params, allowed) => {
    expect(mayRun('operator', name, params)).toBe(allowed);
  });

  test('a command that is not in the table is allowed to nobody', () => {
    for (const role of ['owner', 'operator', 'watcher'] as const)
      for (const name of ['__proto__', 'toString', 'nonsense']) expect(mayRun(role, name, {})).toBe(false);
  });
});

test('an operator can open a session, talk and answer; events and the audit log name the key', async () => {
  const { server, root, stateFolder, tokens } = await begin();
  const phone = await BareClient.connect(server, { token: tokens.operator, name: 'Chrome on Android' });
  expect(phone.messages[0]).toMatchObject({ type: 'hello', role: 'operator', key: 'phone' });
  const { session } = await phone.ask('open', { cwd: root });
  phone.attach(session);
  await phone.ask('send', { content: 'Go' }, { session });
  const { prompt } = eventIn(await phone.event('prompt')) as { prompt: { id: string } };
  const always = { prompt: prompt.id, answer: { answer: 'allow', remember: ['0:session'] } } as const;
  expect(await phone.command('answer', always, { session })).toMatchObject({
    error: { code: 'ROLE_REFUSED' },
  });
  await phone.ask('answer', { prompt: prompt.id, answer: { answer: 'allow' } }, { session });
  const settled = eventIn(await phone.event('prompt-settled'));
  expect(settled.by).toMatchObject({ name: 'Chrome on Android', key: 'phone' });
  const lines = (await readFile(join(stateFolder, 'audit.jsonl'), 'utf8')).trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line));
  expect(entries).toMatchObject([
    { what: 'open', ok: true, key: 'phone', role: 'operator', client: 'Chrome on Android' },
    { what: 'send', ok: true, key: 'phone', session },
    { what: 'answer', ok: false, key: 'phone', error: 'ROLE_REFUSED' },
    { what: 'answer', ok: true, key: 'phone', about: 'allow: Bash: ls' },
  ]);
  for (const { at } of entries) expect(at).toMatch(/^\d{4}-\d\d-\d\dT/);
});

test('revoking a key disconnects its clients', async () => {
  const { server, tokens, file } = await begin();
  const phone = await BareClient.connect(server, { token: tokens.operator });
  const laptop = await BareClient.connect(server, { token: tokens.owner });
  expect(file.remove('phone')).toBe(true);
  expect(await phone.closed).toBe(CLOSE_CODES.keyGone);
  expect(await trySocket(server, { authorization: `Bearer ${tokens.operator}` })).toBe('401');
  await laptop.ask('folders', {});
});

test('an expired key gives no access', async () => {
  const { server, file } = await begin();
  const [over, fresh] = [
    file.add('old', 'owner', Date.now() - 1),
    file.add('new', 'owner', Date.now() + 60_000),
  ];
  expect(await trySocket(server, { authorization: `Bearer ${over}` })).toBe('401');
  expect(await trySocket(server, { authorization: `Bearer ${fresh}` })).toBe('open');
});

test('an operator cannot impersonate the program that owns a session', async () => {
  const { server, root, tokens } = await begin();
  const program = await BareClient.connect(server, { token: tokens.owner });
  const actor = await BareClient.connect(server);
  const { session } = await program.ask('open', { cwd: root, program: { options: {}, initialize: {} } });
  const owner = actor.messages.length;
  const id = String((await actor.summary((each) => each.id === session)).id);
  expect(owner).toBeGreaterThan(0);
  await program.close();
  await actor.summary(({ owner: of }) => (of as { away: boolean }).away);
  const phone = await BareClient.connect(server, { token: tokens.operator });
  await phone.command('rename', { title: 'still away' }, { session: id });
  const summary = await actor.summary(({ title }) => title === 'still away');
  expect(summary.owner).toMatchObject({ away: true });
  onTestFinished(() => phone.socket.terminate());
});
