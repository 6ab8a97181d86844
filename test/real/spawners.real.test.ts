import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { container } from '../../src/host/spawners/container.js';
import { ssh } from '../../src/host/spawners/ssh.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { KnownRealCli } from '../../src/lab/testing/real-cli/known-clis.js';
import { eventuallyEmpty } from '../support/eventually.js';
import { noSshServer, type SshServer, startSshServer } from '../support/ssh-server.js';
import { describeRealClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';

const KEY = 'made-up-key-of-a-server-elsewhere';

/** A conversation with tools, servers, hooks and settings, which is interrupted and then resumed by another CLI. */
async function converse(place: RealPlace, cli: KnownRealCli, own: SessionOptions): Promise<void> {
  const hooks: unknown[] = [];
  const options: SessionOptions = {
    ...own,
    mcpServers: {
      clock: mcpServer('clock', [tool({ name: 'time', description: 'Tells the time', run: () => 'noon' })]),
      echo: { command: process.execPath, args: [resolve('test/fixtures/mcp/echo.mjs')], env: { KEY } },
    },
    serversAtLaunch: true,
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
  expect(session.version).toBe(cli.version);
  expect(await session.send('Go').text()).toBe('All done.');
  expect(readFileSync(join(place.folders.cwd, 'made.txt'), 'utf8')).toBe('yes\n');
  expect(hooks).toContain('Bash');
  const { mcpServers } = await session.mcp.status();
  expect(mcpServers.find(({ name }) => name === 'echo')?.status).toBe('connected');
  expect(commandLinesWith(KEY)).toEqual([]);
  place.model.play([toolUse('Bash', { command: 'tail -f /dev/null' }), text('Stopped.')]);
  const turn = session.send('Wait');
  await place.until(() => hooks.filter((name) => name === 'Bash').length === 2);
  await session.interrupt();
  expect((await turn.outcome).kind).toBe('interrupted');
  await session.close();
  await eventuallyEmpty(() => processesOf(place));
  place.model.play([text('Still here.')]);
  await using again = await place.open({ ...options, resume: session.id ?? '' });
  expect(await again.send('And now?').text()).toBe('Still here.');
  expect(again.id).toBe(session.id);
}

function processes(): readonly { readonly line: string; readonly environ: string }[] {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'latin1').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => ({ line: read(`/proc/${pid}/cmdline`), environ: read(`/proc/${pid}/environ`) }));
}

function commandLinesWith(words: string): readonly string[] {
  return processes().flatMap(({ line }) => (line.includes(words) ? [line] : []));
}

/** What still runs of the sessions of a place: its home is in the environment of each process. */
function processesOf({ folders }: RealPlace): readonly string[] {
  return processes().flatMap(({ line, environ }) => (environ.includes(folders.home) ? [line] : []));
}

describeRealClis('a session over ssh', (cli) => {
  let server: SshServer | undefined;
  beforeAll(async () => {
    if (noSshServer === undefined) server = await startSshServer();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  test('works as any other: version, tools, servers, hooks, prompts, settings, interrupt, resume', async ({
    skip,
  }) => {
    if (noSshServer !== undefined) skip(noSshServer);
    await using place = await realPlace(cli);
    await converse(place, cli, { spawner: ssh({ host: '127.0.0.1', args: server?.args ?? [] }) });
  });
});

describeRealClis('a session in a container', (cli) => {
  const state = mkdtempSync(join(tmpdir(), 'docker-state-'));
  beforeAll(() => vi.stubEnv('DOCKER_STATE', state));
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(state, { recursive: true });
  });

  test('works as any other, with a docker that plays the stream', async () => {
    await using place = await realPlace(cli);
    const program = resolve('test/fixtures/spawners/docker.mjs');
    const env = { CLAUDE_CONFIG_DIR: join(place.folders.home, '.claude') };
    await converse(place, cli, { spawner: container({ image: 'made-up:1', program }), env });
    expect(readdirSync(state).filter((name) => name.startsWith('coxswain-'))).toEqual([]);
  });
});
