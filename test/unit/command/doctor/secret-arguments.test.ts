import { expect, test } from 'vitest';
import { secretArgumentNotes } from '../../../../src/command/doctor/secret-arguments.js';
import { fakeSystem } from '../../host/cli/options/fake-system.js';

const KEY = 'ghp_0123456789abcdefghijABCDEFGHIJ';
const notesFor = (files: Readonly<Record<string, unknown>>, env: Record<string, string> = {}) =>
  secretArgumentNotes(
    '/work',
    fakeSystem({
      env,
      files: Object.fromEntries(
        Object.entries(files).map(([path, value]) => [
          path,
          { text: typeof value === 'string' ? value : JSON.stringify(value) },
        ]),
      ),
    }),
  );
const server = (...args: readonly unknown[]) => ({ command: 'npx', args });

test('a server with a secret in its arguments is named with its file, never with the secret', () => {
  const notes = notesFor({
    '/home/me/.claude.json': {
      mcpServers: { one: server('--token', KEY), fine: { ...server('serve'), env: { TOKEN: KEY } } },
      projects: {
        '/work': { mcpServers: { here: server(`--header=Authorization: Bearer ${KEY}`) } },
        '/other': { mcpServers: { elsewhere: server(KEY) } },
      },
    },
    '/work/.mcp.json': { mcpServers: { two: server(`--url=https://me:${KEY}@host/`) } },
  });
  expect(notes.map((note) => /server (\w+) .*\((.*)\)$/.exec(note)?.slice(1))).toEqual([
    ['one', '/home/me/.claude.json'],
    ['here', '/home/me/.claude.json'],
    ['two', '/work/.mcp.json'],
  ]);
  expect(notes.join()).not.toContain(KEY);
});

test('commands of hooks and helpers are examined too, in the config folder in use', () => {
  const hooks = {
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: `curl -u me:${KEY} x` }] }],
  };
  const notes = notesFor(
    { '/config/settings.json': { hooks }, '/work/.claude/settings.json': { apiKeyHelper: `echo ${KEY}` } },
    { CLAUDE_CONFIG_DIR: '/config' },
  );
  expect(notes).toEqual([
    expect.stringContaining('(/config/settings.json)'),
    expect.stringContaining('(/work/.claude/settings.json)'),
  ]);
});

test.each(['statusLine', 'subagentStatusLine', 'fileSuggestion'])('so is the command of %s', (name) => {
  const settings = { [name]: { type: 'command', command: `show --token ${KEY}` } };
  expect(notesFor({ '/work/.claude/settings.local.json': settings })).toEqual([
    expect.stringContaining('(/work/.claude/settings.local.json)'),
  ]);
});

test('files that are missing, broken or of another shape have no notes', () => {
  expect(notesFor({})).toEqual([]);
  expect(notesFor({ '/work/.mcp.json': '{', '/home/me/.claude.json': [1] })).toEqual([]);
  expect(
    notesFor({ '/work/.mcp.json': { mcpServers: { odd: null, other: server(1, null) }, hooks: { A: 1 } } }),
  ).toEqual([]);
});
