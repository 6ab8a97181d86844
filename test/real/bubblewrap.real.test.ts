import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { bubblewrap } from '../../src/host/spawners/bubblewrap.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { carriers } from '../faults/leftovers.js';
import { noBubblewrap } from '../support/bubblewrap.js';
import { BareClient, startEmulatedConsole } from '../support/console.js';
import { eventuallyEmpty } from '../support/eventually.js';
import { ATTACKS, attacksThatWork, inside, leaveAProcess } from './support/attacks.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

describeRealClis('a session in bubblewrap', (cli) => {
  test('works as any other: tools, servers, hooks, prompts, settings, resume', async ({ skip }) => {
    if (noBubblewrap !== undefined) skip(noBubblewrap);
    await using place = await realPlace(cli);
    const hooks: unknown[] = [];
    const clock = mcpServer('clock', [
      tool({ name: 'time', description: 'Tells the time', run: () => 'noon' }),
    ]);
    const options: SessionOptions = {
      spawner: bubblewrap({ readable: [resolve('test/fixtures/mcp')] }),
      mcpServers: {
        clock,
        echo: { command: process.execPath, args: [resolve('test/fixtures/mcp/echo.mjs')], env: { KEY: 'x' } },
      },
      settings: { env: { FROM_SETTINGS: 'yes' } },
      allowedTools: ['mcp__clock'],
      onPermission: (request) => request.allow(),
      hooks: { PreToolUse: [{ run: ({ tool_name: name }) => void hooks.push(name) }] },
    };
    place.model.play([
      toolUse('Bash', { command: 'echo "$FROM_SETTINGS" > made.txt; pwd' }),
      { when: { toolResult: place.folders.cwd }, reply: toolUse('mcp__clock__time', {}) },
      { when: { toolResult: 'noon' }, reply: text('All done.') },
    ]);
    const session = await place.open(options);
    expect(await session.send('Go').text()).toBe('All done.');
    expect(readFileSync(join(place.folders.cwd, 'made.txt'), 'utf8')).toBe('yes\n');
    expect(hooks).toContain('Bash');
    const { mcpServers } = await session.mcp.status();
    expect(mcpServers.find(({ name }) => name === 'echo')?.status).toBe('connected');
    await session.close();
    place.model.play([text('Still here.')]);
    await using again = await place.open({ ...options, resume: session.id ?? '' });
    expect(await again.send('And now?').text()).toBe('Still here.');
    expect(again.id).toBe(session.id);
    const said = JSON.stringify(place.model.lastRequest()?.messages);
    expect(said).toContain('noon');
  });

  test('is refused everything that works without it, but the ports of this machine', async ({ skip }) => {
    if (noBubblewrap !== undefined) skip(noBubblewrap);
    await using place = await realPlace(cli);
    expect(await attacksThatWork(place, {})).toEqual(expect.arrayContaining(ATTACKS));
    expect(await attacksThatWork(place, { spawner: bubblewrap() })).toEqual(['reach a port of the host']);
    expect(await attacksThatWork(place, { spawner: bubblewrap({ network: 'model' }) })).toEqual([]);
  });

  test('is interrupted, rewinds files, and ends at once while a command runs', async ({ skip }) => {
    if (noBubblewrap !== undefined) skip(noBubblewrap);
    await using place = await realPlace(cli);
    const file = join(place.folders.cwd, 'note.txt');
    writeFileSync(file, 'before\n');
    const options: SessionOptions = {
      spawner: bubblewrap(),
      permissionMode: 'acceptEdits',
      allowedTools: ['Bash'],
      enableFileCheckpointing: true,
    };
    const session = await place.open(options);
    place.model.play([
      { when: 'change', reply: toolUse('Read', { file_path: file }) },
      { reply: toolUse('Write', { file_path: file, content: 'after\n' }) },
      { reply: text('Changed.') },
      { when: 'wait', reply: toolUse('Bash', { command: `touch waits; tail -f ${file}` }) },
    ]);
    const changed = session.send('change');
    expect(await changed.text()).toBe('Changed.');
    expect(readFileSync(file, 'utf8')).toBe('after\n');
    const before = String(changed.userMessageId);
    await session.rewind(before);
    expect(readFileSync(file, 'utf8')).toBe('before\n');
    const turn = session.send('wait');
    await place.until(() => readdirSync(place.folders.cwd).includes('waits'));
    await session.interrupt();
    expect((await turn.outcome).kind).toBe('interrupted');
    place.model.play([toolUse('Bash', { command: `touch waits-again; tail -f ${file}` })]);
    session.send('again');
    await place.until(() => readdirSync(place.folders.cwd).includes('waits-again'));
    await session.close();
    await eventuallyEmpty(() => carriers(place.folders.home));
    writeFileSync(file, 'after all\n');
    await using next = await place.open({ ...options, resume: session.id ?? '' });
    await next.rewind(before);
    expect(readFileSync(file, 'utf8')).toBe('before\n');
  });

  test('leaves no process behind, even one that hides from its parent', async ({ skip }) => {
    if (noBubblewrap !== undefined) skip(noBubblewrap);
    await using place = await realPlace(cli);
    await eventuallyEmpty(await leaveAProcess(place, { spawner: bubblewrap() }));
  });
});

describeRealClis('a console with a sandbox', (cli) => {
  test('says so, parks and continues its sessions there, and lets no program choose another', async ({
    skip,
  }) => {
    if (noBubblewrap !== undefined) skip(noBubblewrap);
    await using place = await realPlace(cli);
    const { cwd, home } = place.folders;
    const { cwd: _cwd, ...session } = place.options({ spawner: bubblewrap() });
    const server = await startConsole({
      ...{ roots: [cwd], stateFolder: join(home, 'state'), configDir: join(home, '.claude') },
      ...{ idleMs: 1, session },
    });
    onTestFinished(() => server.close());
    const client = await BareClient.connect(server);
    place.model.play([{ when: /./, reply: text('Hello.'), times: 'any' }]);
    const opened = await client.ask('open', { cwd });
    await client.ask('send', { content: 'hello' }, opened);
    const parked = await client.summary(({ state, costUsd }) => state === 'parked' && Number(costUsd) > 0);
    expect(parked.sandbox).toBe('bubblewrap');
    await client.ask('send', { content: 'and again' }, opened);
    const again = await client.summary(
      ({ state, costUsd }) => state === 'parked' && Number(costUsd) > Number(parked.costUsd),
    );
    expect(again).toMatchObject({ conversation: parked.conversation, sandbox: 'bubblewrap' });
    const program = { options: { spawner: { name: 'process' } }, initialize: {} };
    const refused = await client.command('open', { cwd, program });
    expect(refused).toMatchObject({ ok: false, error: { code: 'OPTION_INVALID' } });
  });
});

test('a program inside finds the port of a console, and needs its key; without a network it reaches no port', async ({
  skip,
}) => {
  if (noBubblewrap !== undefined) skip(noBubblewrap);
  const { server } = await startEmulatedConsole([]);
  const code = `fetch('${server.origin}/api/v1/conversations').then((r) => console.log(r.status), (e) => console.log(e.cause.code))`;
  const run = async (network: 'host' | 'model' | 'off') => {
    const request = {
      ...{ file: process.execPath, cli: process.execPath, args: ['-e', code], cwd: resolve('test/fixtures') },
      ...{ env: { PATH: '/usr/bin:/bin', HOME: '/root' }, conversation: undefined, id: 'x' },
      ...{ files: [], writable: [], readable: [] },
    };
    const { file, args, env, cwd } = await bubblewrap({ network }).prepare(request);
    return new Promise((done) => execFile(file, [...args], { env, cwd }, (_error, out) => done(out.trim())));
  };
  expect(await run('host')).toBe('401');
  expect(await run('off')).toBe('ECONNREFUSED');
  expect(await run('model')).toBe('ECONNREFUSED');
});

describeRealClis('a session in bubblewrap that reaches only the model', (cli) => {
  test('talks to it, and finds neither a port of this machine nor another address', async ({ skip }) => {
    if (noBubblewrap !== undefined) skip(noBubblewrap);
    const { server } = await startEmulatedConsole([]);
    await using place = await realPlace(cli);
    const { port } = new URL(place.model.model.url);
    const out = await inside(
      place,
      `node -e "const get = (url) => fetch(url).then((r) => r.status, (e) => e.cause.code); (async () => console.log(await get('${server.origin}'), await get('http://127.0.0.1:${port}'), await get('http://192.0.2.1')))()"; (cat /proc/net/tcp | wc -l); echo end`,
      { spawner: bubblewrap({ network: 'model', readable: [resolve('test/fixtures')] }) },
    );
    expect(out).toContain('ECONNREFUSED ECONNREFUSED');
    expect(out).toMatch(/ENETUNREACH|ECONNREFUSED \w+/);
    expect(out).toContain('end');
  });
});

test('a model over HTTPS is reached through the relay alone, whatever address is asked for', async ({
  skip,
}) => {
  if (noBubblewrap !== undefined) skip(noBubblewrap);
  const folder = mkdtempSync(join(tmpdir(), 'model-only-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // It answers in plain text: what passes is not looked at.
  const model = createServer((socket) => socket.end('the model'));
  await new Promise<void>((done) => model.listen(0, '127.0.0.1', done));
  onTestFinished(() => void model.close());
  const { port } = model.address() as AddressInfo;
  const code = `require('node:http').request({ port: new URL(process.env.HTTPS_PROXY).port, method: 'CONNECT', path: 'elsewhere.invalid:443' }).on('connect', (r, s, head) => { process.stdout.write(head); s.pipe(process.stdout); }).end()`;
  const { file, args, env, end } = await bubblewrap({ network: 'model' }).prepare({
    ...{ file: process.execPath, cli: process.execPath, args: ['-e', code], cwd: resolve('test/fixtures') },
    env: { PATH: '/usr/bin:/bin', HOME: '/root', ANTHROPIC_BASE_URL: `https://127.0.0.1:${port}` },
    ...{ conversation: undefined, id: 'x', files: [], writable: [], readable: [], privateFolder: folder },
  });
  const out = await new Promise((done) => execFile(file, [...args], { env }, (_error, text) => done(text)));
  await end?.();
  expect(out).toBe('the model');
  expect(readdirSync(join(folder, 'model'))).toEqual([]);
});

test('an unknown folder or program is an error before anything starts', async ({ skip }) => {
  if (process.platform !== 'linux') skip('bubblewrap needs Linux');
  const request = {
    ...{ file: process.execPath, cli: process.execPath, args: [], cwd: resolve('test/fixtures'), env: {} },
    ...{ conversation: undefined, files: [], writable: [], readable: [], id: 'x' },
  };
  await expect(bubblewrap({ writable: ['/no/such/folder'] }).prepare(request)).rejects.toThrow(
    '/no/such/folder',
  );
  await expect(bubblewrap({ readable: ['here'] }).prepare(request)).rejects.toThrow('not an absolute path');
  await expect(bubblewrap({ program: 'no-bwrap' }).prepare(request)).rejects.toThrow('no-bwrap');
});
