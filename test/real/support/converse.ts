import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { mcpServer } from '../../../src/host/mcp/mcp-server.js';
import { tool } from '../../../src/host/mcp/tool.js';
import type { SessionOptions } from '../../../src/host/session/session-options.js';
import { text, toolUse } from '../../../src/lab/testing/model/replies.js';
import type { KnownRealCli } from '../../../src/lab/testing/real-cli/known-clis.js';
import { eventuallyEmpty } from '../../support/eventually.js';
import type { RealPlace } from './real-session.js';
import { onCommandLines } from './secret-search.js';

const KEY = 'made-up-key-of-a-server-elsewhere';

/** A conversation with tools, servers, hooks and settings, which is interrupted and then resumed by another CLI. */
export async function converse(place: RealPlace, cli: KnownRealCli, own: SessionOptions): Promise<void> {
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
  await using session = await place.open(options);
  expect(session.version).toBe(cli.version);
  expect(await session.send('Go').text()).toBe('All done.');
  expect(readFileSync(join(place.folders.cwd, 'made.txt'), 'utf8')).toBe('yes\n');
  expect(hooks).toContain('Bash');
  const { mcpServers } = await session.mcp.status();
  expect(mcpServers.find(({ name }) => name === 'echo')?.status).toBe('connected');
  expect(onCommandLines([KEY])).toEqual([]);
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

/** What still runs of the sessions of a place: its home is in the environment of each process. */
function processesOf({ folders }: RealPlace): readonly string[] {
  return processes().flatMap(({ line, environ }) => (environ.includes(folders.home) ? [line] : []));
}
