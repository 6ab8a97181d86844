import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { query } from '../../src/entry/compat/query/query.js';
import type { Options } from '../../src/entry/compat/types/option-types.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { KnownRealCli } from '../../src/lab/testing/real-cli/known-clis.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { describeRealClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';
import { inFiles, keyFor, onCommandLines, ownLogs } from './support/secret-search.js';

const KEYS = ['serverEnv', 'serverHeader', 'settings', 'agent', 'variable', 'file', 'added', 'managed'].map(
  keyFor,
);
const [serverEnv = '', serverHeader = '', inSettings = '', inAgent = '', inVariable = '', inFile = ''] = KEYS;
const [inAdded = '', inManaged = ''] = KEYS.slice(6);

const servers = {
  near: {
    command: process.execPath,
    args: [resolve('test/fixtures/mcp/echo.mjs')],
    env: { KEY: serverEnv },
  },
  far: {
    type: 'http' as const,
    url: 'http://127.0.0.1:9/mcp',
    headers: { Authorization: `Bearer ${serverHeader}` },
  },
};
const third = { ...servers.near, env: { KEY: inFile } };
const agents = { helper: { description: 'Helps', prompt: `Use ${inAgent}.` } };
const settings = { env: { FROM_SETTINGS: inSettings } };

/** The keys in the files that a session left. */
function left({ folders }: RealPlace, { version }: KnownRealCli): string[] {
  return inFiles(KEYS, join(folders.home, '..'), ownLogs(version, 'far'));
}

/** The keys in private files on this machine, where other programs have theirs too. */
function keysInPrivateFolders(): string[] {
  const folders = readdirSync(tmpdir()).filter((name) => /^coxswain-[0-9a-f]{32}$/.test(name));
  return folders.flatMap((name) => inFiles(KEYS, join(tmpdir(), name)));
}

describeRealClis('secrets in options', (cli) => {
  test('reach the CLI, but no command line, recording, diagnostic or file that stays', async ({ skip }) => {
    if (process.platform !== 'linux') skip('only Linux shows the command lines of all processes in /proc');
    await using place = await realPlace(cli);
    const record = join(place.folders.tmp, 'session.trace');
    const diagnostics: Diagnostic[] = [];
    await using session = await place.open({
      mcpServers: servers,
      settings,
      agents,
      env: { OWN_KEY: inVariable },
      extraArgs: { 'mcp-config': { privateFile: JSON.stringify({ mcpServers: { third } }) } },
      allowedTools: ['Bash'],
      record,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    place.model.play([
      toolUse('Bash', { command: 'test -n "$FROM_SETTINGS" && test -n "$OWN_KEY" && echo both-are-set' }),
      { when: { toolResult: 'both-are-set' }, reply: text('Done.') },
    ]);
    expect(onCommandLines(KEYS)).toEqual([]);
    const turn = session.send('Go');
    expect(await turn.text()).toBe('Done.');
    expect(onCommandLines(KEYS)).toEqual([]);
    const { mcpServers } = await session.mcp.status();
    const connected = mcpServers.filter(({ status }) => status === 'connected').map(({ name }) => name);
    expect(connected).toEqual(expect.arrayContaining(['near', 'third']));
    await session.close();
    expect(keysInPrivateFolders()).toEqual([]);
    expect(left(place, cli)).toEqual([]);
    expect(KEYS.filter((key) => JSON.stringify(diagnostics).includes(key))).toEqual([]);
    expect(diagnostics.filter(({ code }) => code === 'SECRET_IN_ARGUMENTS')).toEqual([]);
  });

  test('as texts of JSON, and in servers that are added later, reach the CLI and nothing else', async ({
    skip,
  }) => {
    if (process.platform !== 'linux') skip('only Linux shows the command lines of all processes in /proc');
    await using place = await realPlace(cli);
    const record = join(place.folders.tmp, 'session.trace');
    const diagnostics: Diagnostic[] = [];
    await using session = await place.open({
      mcpServers: { near: servers.near },
      serversAtLaunch: false,
      settings: JSON.stringify(settings),
      extraArgs: { 'mcp-config': JSON.stringify({ mcpServers: { third } }) },
      allowedTools: ['Bash'],
      record,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    });
    place.model.play([
      toolUse('Bash', { command: 'test -n "$FROM_SETTINGS" && echo it-is-set' }),
      { when: { toolResult: 'it-is-set' }, reply: text('Done.') },
    ]);
    await session.mcp.add({ added: { ...servers.near, env: { KEY: inAdded } } });
    expect(await session.send('Go').text()).toBe('Done.');
    expect(onCommandLines(KEYS)).toEqual([]);
    const { mcpServers } = await session.mcp.status();
    const connected = mcpServers.filter(({ status }) => status === 'connected').map(({ name }) => name);
    expect(connected).toEqual(expect.arrayContaining(['near', 'added']));
    await session.close();
    expect(keysInPrivateFolders()).toEqual([]);
    expect(left(place, cli)).toEqual([]);
    expect(KEYS.filter((key) => JSON.stringify(diagnostics).includes(key))).toEqual([]);
    expect(diagnostics.filter(({ code }) => code === 'SECRET_IN_ARGUMENTS')).toEqual([]);
  });

  test('of a program for the official SDK reach the CLI, but no command line and no file that stays', async ({
    skip,
  }) => {
    if (process.platform !== 'linux') skip('only Linux shows the command lines of all processes in /proc');
    await using place = await realPlace(cli);
    const { env = {}, cwd = '' } = place.options();
    const options: Options = {
      pathToClaudeCodeExecutable: cli.path,
      cwd,
      env: { ...env, OWN_KEY: inVariable },
      settingSources: [],
      model: 'sonnet',
      mcpServers: servers,
      settings,
      agents,
      allowedTools: ['Bash'],
    };
    place.model.play([
      toolUse('Bash', { command: 'test -n "$FROM_SETTINGS" && test -n "$OWN_KEY" && echo it-is-set' }),
      { when: { toolResult: 'it-is-set' }, reply: text('Done.') },
    ]);
    let result: unknown;
    for await (const message of query({ prompt: 'Go', options })) {
      expect(onCommandLines(KEYS)).toEqual([]);
      if (message.type === 'result') result = 'result' in message ? message.result : message;
    }
    expect(result).toBe('Done.');
    expect(left(place, cli)).toEqual([]);
  });
});

describeRealClis(
  'secrets that a CLI takes only as an argument',
  (cli) => {
    test('in managed settings are on the command line, and a diagnostic says so', async ({ skip }) => {
      if (process.platform !== 'linux') skip('only Linux shows the command lines of all processes in /proc');
      await using place = await realPlace(cli);
      const diagnostics: Diagnostic[] = [];
      await using session = await place.open({
        managedSettings: { env: { FROM_MANAGED: inManaged } },
        record: join(place.folders.tmp, 'session.trace'),
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      });
      expect(onCommandLines(KEYS)).toEqual([inManaged]);
      const exposed = diagnostics.filter(({ code }) => code === 'SECRET_IN_ARGUMENTS');
      expect(exposed).toMatchObject([{ flag: '--managed-settings' }]);
      expect(JSON.stringify(diagnostics)).not.toContain(inManaged);
      await session.close();
      expect(onCommandLines(KEYS)).toEqual([]);
      expect(left(place, cli)).toEqual([]);
    });
  },
  ['2.1.326'],
);
