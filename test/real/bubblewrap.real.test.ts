import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { bubblewrap } from '../../src/host/spawners/bubblewrap.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { BareClient } from '../support/console.js';
import { eventuallyEmpty } from '../support/eventually.js';
import { describeRealClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';

/** Why bubblewrap cannot run here. */
const cannot = ((): string | undefined => {
  if (process.platform !== 'linux') return 'bubblewrap needs Linux';
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', '--proc', '/proc', 'true'], {
      stdio: 'pipe',
    });
    return undefined;
  } catch (error) {
    return `bubblewrap does not run here: ${String(error).slice(0, 200)}`;
  }
})();

/** Runs a shell command inside, as the model asks for it, and returns what it printed. */
async function inside(place: RealPlace, command: string, own: SessionOptions = {}): Promise<string> {
  place.model.play([toolUse('Bash', { command }), { when: { toolResult: /\S/ }, reply: text('Done.') }]);
  await using session = await place.open({ spawner: bubblewrap(), allowedTools: ['Bash'], ...own });
  expect(await session.send('Go').text()).toBe('Done.');
  const last = place.model.model.requests.findLast(({ toolResults }) => toolResults.length > 0);
  return last?.toolResults[0]?.text ?? '';
}

describeRealClis('a session in bubblewrap', (cli) => {
  test('works as any other: tools, servers, hooks, prompts, settings, resume', async ({ skip }) => {
    if (cannot !== undefined) skip(cannot);
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

  test('sees neither other folders, nor the home, nor other processes, nor keys of the host', async ({
    skip,
  }) => {
    if (cannot !== undefined) skip(cannot);
    await using place = await realPlace(cli);
    const { home, cwd } = place.folders;
    const other = join(home, '.claude', 'projects', '-other-folder');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'talk.jsonl'), 'a secret conversation');
    writeFileSync(join(home, 'notes.txt'), 'a secret note');
    const out = await inside(
      place,
      `cat ${other}/talk.jsonl ${home}/notes.txt; ls ${home}; ls -d /proc/[0-9]* | wc -l; cat /proc/${process.pid}/environ /etc/shadow; ls ${resolve('.')}/package.json; touch /usr/x; echo end`,
    );
    expect(out).toContain('end');
    for (const secret of ['a secret', 'notes.txt\n', 'root:', 'COXSWAIN_']) expect(out).not.toContain(secret);
    expect(out).toMatch(/Read-only file system/);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('leaves no process behind, even one that hides from its parent', async ({ skip }) => {
    if (cannot !== undefined) skip(cannot);
    await using place = await realPlace(cli);
    const mark = `73${process.pid}`;
    await inside(place, `(env -i setsid sleep ${mark} >/dev/null 2>&1 &) ; echo started`);
    // If the sandbox had to be killed, the kernel ends what runs in it a moment later.
    await eventuallyEmpty(() => {
      const running = execFileSync('ps', ['-axo', 'args='], { encoding: 'utf8' }).split('\n');
      return running.filter((line) => line.includes(`sleep ${mark}`));
    });
  });
});

describeRealClis('a console with a sandbox', (cli) => {
  test('says so, parks and continues its sessions there, and lets no program choose another', async ({
    skip,
  }) => {
    if (cannot !== undefined) skip(cannot);
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

test('without a network a program inside reaches no port of this machine', async ({ skip }) => {
  if (cannot !== undefined) skip(cannot);
  const server = createServer((socket) => socket.end('reached'));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const code = `require('net').connect(${port}, '127.0.0.1').on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))`;
  const run = async (network: 'host' | 'off') => {
    const request = {
      ...{ file: process.execPath, cli: process.execPath, args: ['-e', code], cwd: resolve('test/fixtures') },
      ...{ env: { PATH: '/usr/bin:/bin', HOME: '/root' }, conversation: undefined, files: [], writable: [], readable: [], id: 'x' },
    };
    const { file, args, env, cwd } = await bubblewrap({ network }).prepare(request);
    const { execFile } = await import('node:child_process');
    return new Promise((done) => execFile(file, [...args], { env, cwd }, (_error, out) => done(out.trim())));
  };
  expect(await run('host')).toBe('reached');
  expect(await run('off')).toBe('ECONNREFUSED');
  server.close();
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
