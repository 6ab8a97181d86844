import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OpenParams } from '../../src/entry/remote/contract.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';
import { BareClient, eventIn, startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { EMULATED_CLI } from '../support/cox-process.js';

const chat = () => [onUser(undefined, [say('Yes.')], { times: 'any' as const })];

test('sessions work only below the roots, after resolving symbolic links', async () => {
  const { server, root } = await startEmulatedConsole(chat);
  const outside = await temporaryFolder();
  await mkdir(join(root, 'project'));
  await symlink(outside, join(root, 'way-out'));
  await symlink(join(root, 'project'), join(outside, 'way-in'));
  const client = await BareClient.connect(server);
  for (const cwd of [
    outside,
    join(root, '..'),
    join(root, 'way-out'),
    `${root}-more`,
    '/',
    join(root, 'missing'),
  ]) {
    const refused = await client.command('open', { cwd });
    expect(refused).toMatchObject({ ok: false, error: { code: 'FOLDER_REFUSED' } });
  }
  const { session } = await client.ask('open', { cwd: join(outside, 'way-in') });
  const { cwd } = await client.summary(({ id }) => id === session);
  expect(cwd).toBe(join(root, 'project'));
  const listed = await client.ask('folders', { in: root });
  expect(listed.folders.map(({ name }) => name)).toEqual(['project']);
  expect(await client.command('folders', { in: outside })).toMatchObject({
    error: { code: 'FOLDER_REFUSED' },
  });
});

test('bypassPermissions is refused in every form', async () => {
  const { server, root, clis } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const refused = { ok: false, error: { code: 'BYPASS_REFUSED' } };
  const bypass = 'bypassPermissions';
  expect(await client.command('open', { cwd: root, permissionMode: bypass })).toMatchObject(refused);
  const asProgram = (options: object) =>
    client.command('open', {
      cwd: root,
      program: { options: { ...options }, initialize: { subtype: 'initialize' } },
    });
  expect(await asProgram({ permissionMode: bypass })).toMatchObject(refused);
  expect(await asProgram({ allowDangerouslySkipPermissions: true })).toMatchObject(refused);
  expect(await asProgram({ settings: { permissions: { defaultMode: bypass } } })).toMatchObject(refused);
  expect(await asProgram({ settings: '/etc/hostname' })).toMatchObject({
    error: { code: 'OPTION_INVALID' },
  });
  expect(await asProgram({ extraArgs: { 'dangerously-skip-permissions': null } })).toMatchObject({
    error: { code: 'OPTION_INVALID' },
  });
  expect(clis).toHaveLength(0);
  const { session } = await client.ask('open', { cwd: root });
  expect(await client.command('setPermissionMode', { mode: bypass }, { session })).toMatchObject(refused);
  const control = { subtype: 'set_permission_mode', params: { mode: bypass } };
  expect(await client.command('control', control, { session })).toMatchObject(refused);
  const permissions = [{ type: 'setMode', mode: bypass, destination: 'session' } as const];
  const answer = { answer: 'allow' as const, permissions };
  expect(await client.command('answer', { prompt: 'any', answer }, { session })).toMatchObject(refused);
  const value = { behavior: 'allow', updatedPermissions: permissions };
  const raw = { answer: 'raw' as const, value };
  expect(await client.command('answer', { prompt: 'any', answer: raw }, { session })).toMatchObject(refused);
  const reply = { request: 'any', ok: true, value };
  expect(await client.command('reply', reply, { session })).toMatchObject(refused);
  const prepared = { type: 'user', permissionMode: bypass, message: { role: 'user', content: 'x' } };
  expect(await client.command('send', { content: '', message: prepared }, { session })).toMatchObject(
    refused,
  );
  expect(JSON.stringify(clis[0]?.received)).not.toContain(bypass);
  // What a person says is text.
  expect(await client.command('send', { content: `{"mode":"${bypass}"}` }, { session })).toMatchObject({
    ok: true,
  });
});

test('bypassPermissions is allowed if the server was started with it', async () => {
  const { server, root } = await startEmulatedConsole(chat, {
    allowBypass: true,
    emulate: { bypassAllowed: true },
  });
  const client = await BareClient.connect(server);
  expect(client.messages[0]).toMatchObject({ type: 'hello', allowBypass: true });
  const { session } = await client.ask('open', { cwd: root });
  const set = await client.command('setPermissionMode', { mode: 'bypassPermissions' }, { session });
  expect(set).toMatchObject({ ok: true });
});

test('programs cannot choose what the server runs', async () => {
  const { server, root, clis } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  for (const options of [
    { cli: '/bin/sh' },
    { env: { NODE_OPTIONS: '--require x' } },
    { executable: 'sh' },
  ]) {
    const program = { options, initialize: { subtype: 'initialize' } };
    const refused = await client.command('open', { cwd: root, program });
    expect(refused).toMatchObject({ ok: false, error: { code: 'OPTION_INVALID' } });
  }
  expect(clis).toHaveLength(0);
});

test.each([
  { cli: '/bin/sh' },
  { env: { PATH: '/tmp' } },
  { extraArgs: { 'dangerously-skip-permissions': null } },
  { settings: '/etc/hostname' },
  { additionalDirectories: ['/'] },
  { patched: { folder: '/tmp' } },
  { record: '/tmp/x' },
])('nor through initialize or session options: %j', async (more) => {
  const { server, root, clis } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const said = { options: {}, initialize: { subtype: 'initialize', ...more } };
  const refused = { ok: false, error: { code: 'OPTION_INVALID' } };
  expect(await client.command('open', { cwd: root, program: said })).toMatchObject(refused);
  if ('patched' in more || 'record' in more) {
    const asked = { options: { ...more }, initialize: { subtype: 'initialize' } };
    expect(await client.command('open', { cwd: root, program: asked })).toMatchObject(refused);
  }
  expect(clis).toHaveLength(0);
});

test('additional folders of a program must be below the roots too, relative to its working folder', async () => {
  const { server, root } = await startEmulatedConsole(chat);
  await mkdir(join(root, 'project'));
  const client = await BareClient.connect(server);
  const open = (options: object) =>
    client.command('open', {
      cwd: join(root, 'project'),
      program: { options: { ...options }, initialize: {} },
    });
  const refused = { ok: false, error: { code: 'FOLDER_REFUSED' } };
  for (const folder of ['/', '../..']) {
    expect(await open({ additionalDirectories: [folder] })).toMatchObject(refused);
    expect(await open({ settings: { permissions: { additionalDirectories: [folder] } } })).toMatchObject(
      refused,
    );
  }
  expect(await open({ additionalDirectories: ['..'] })).toMatchObject({ ok: true });
});

test('a session is not reopened outside the roots or without checks, even if that was allowed before', async () => {
  const stateFolder = await temporaryFolder();
  const opened: OpenParams[] = [];
  const session = (asked: OpenParams) => {
    opened.push(asked);
    return { transport: () => emulateCli(chat(), { bypassAllowed: true }).transport };
  };
  const before = await startEmulatedConsole(chat, { stateFolder, allowBypass: true, session });
  const client = await BareClient.connect(before.server);
  const options = {
    permissionMode: 'bypassPermissions',
    settings: { permissions: { defaultMode: 'bypassPermissions' } },
  };
  const program = { options, initialize: { subtype: 'initialize' } };
  const { session: id } = await client.ask('open', { cwd: before.root, program });
  await client.ask('close', {}, { session: id });
  await before.server.close();

  const elsewhere = await startEmulatedConsole(chat, { stateFolder, session });
  const visitor = await BareClient.connect(elsewhere.server);
  expect(await visitor.command('reopen', {}, { session: id })).toMatchObject({
    error: { code: 'FOLDER_REFUSED' },
  });
  await elsewhere.server.close();
  expect(opened).toHaveLength(1);

  const careful = await startEmulatedConsole(chat, { stateFolder, session, roots: [before.root] });
  await (await BareClient.connect(careful.server)).ask('reopen', {}, { session: id });
  expect(opened).toHaveLength(2);
  expect(JSON.stringify(opened[1])).not.toContain('bypassPermissions');
});

test('only the server initialises a CLI', async () => {
  const { server, root, clis } = await startEmulatedConsole(chat);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  const again = await client.command(
    'control',
    { subtype: 'initialize', params: { hooks: {} } },
    { session },
  );
  expect(again).toMatchObject({ ok: false, error: { code: 'COMMAND_INVALID' } });
  expect(JSON.stringify(clis[0]?.received).match(/"subtype":"initialize"/g)).toHaveLength(1);
});

test('a session without a mode starts in the mode that prompts, whatever settings files say', async () => {
  const { server, root } = await startEmulatedConsole(chat, { session: { cli: EMULATED_CLI } });
  const client = await BareClient.connect(server);
  const modeOf = async (params: Partial<OpenParams>) => {
    const { session } = await client.ask('open', { cwd: root, ...params });
    client.attach(session);
    const { argv } = eventIn(await client.event('header')) as { argv: readonly string[] };
    await client.ask('close', {}, { session });
    return argv.join(' ').match(/--permission-mode[= ](\w+)/)?.[1] ?? argv;
  };
  const program = (options: WireObject) => ({ program: { options, initialize: {} } });
  expect(await modeOf({})).toBe('default');
  expect(await modeOf(program({}))).toBe('default');
  expect(await modeOf({ permissionMode: 'plan' })).toBe('plan');
  expect(await modeOf(program({ permissionMode: 'acceptEdits' }))).toBe('acceptEdits');
});

test('a session is ended if its CLI reports that it does not prompt', async () => {
  const status = { type: 'system', subtype: 'status', permissionMode: 'bypassPermissions' };
  const { server, root } = await startEmulatedConsole([onUser([send(status), hang()])]);
  const client = await BareClient.connect(server);
  const { session } = await client.ask('open', { cwd: root });
  client.attach(session);
  await client.ask('send', { content: 'Go' }, { session });
  await client.event('note', ({ code }) => code === 'BYPASS_REFUSED');
  const ended = await client.ever(({ session: of }) => isObject(of) && of.state === 'ended');
  expect(ended.session).toMatchObject({ error: expect.stringContaining('bypassPermissions') });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'a control request named %s is unknown to the CLI, and has no other effect',
  async (subtype) => {
    const { server, root } = await startEmulatedConsole(chat);
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    const done = await client.command('control', { subtype, params: {} }, { session });
    expect(done).toMatchObject({ ok: false, error: { code: 'ENDPOINT_UNSUPPORTED' } });
    expect(JSON.stringify(done)).not.toMatch(/TypeError|undefined|not a function|cannot read/i);
    const { allows } = await client.summary(({ id }) => id === session);
    expect(allows).toEqual([]);
  },
);
