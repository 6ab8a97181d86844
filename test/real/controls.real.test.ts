import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Session } from '../../src/host/session/session.js';
import { text } from '../../src/lab/testing/model/replies.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

const echo = { command: process.execPath, args: [join(process.cwd(), 'test/fixtures/mcp/echo.mjs')] };

describeRealClis(
  'control methods',
  (cli) => {
    test('manage an MCP server from its start to its removal', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({});
      const stateOfEcho = async () =>
        (await session.mcp.status()).mcpServers.find(({ name }) => name === 'echo')?.status;

      expect(await session.mcp.set({ echo })).toEqual({ added: ['echo'], removed: [], errors: {} });
      expect(await stateOfEcho()).toBe('connected');
      const { content } = await session.mcp.call('mcp__echo__shout', { word: 'ahoy' }, { timeoutMs: 10_000 });
      expect(content).toEqual([{ type: 'text', text: '{"word":"ahoy"}' }]);
      const { contents } = await session.mcp.readResource('echo', 'ui://page');
      expect(contents).toMatchObject([{ uri: 'ui://page', text: '<p>hello</p>' }]);
      await session.mcp.disable('echo');
      expect(await stateOfEcho()).toBe('disabled');
      await session.mcp.enable('echo');
      await session.mcp.reconnect('echo');
      expect(await stateOfEcho()).toBe('connected');
      expect(await session.mcp.setPermissionMode('echo', 'default')).toEqual({});
      expect(await session.mcp.set({})).toEqual({ added: [], removed: ['echo'], errors: {} });
    });

    test('read, report and change everything that needs no account', async () => {
      await using place = await realPlace(cli);
      await writeFile(join(place.folders.cwd, 'note.txt'), 'hello');
      await using session = await place.open({});
      place.model.play([{ reply: text('Aye.') }]);
      const read = await session.files.read('note.txt', { maxBytes: 3 });
      expect(read).toMatchObject({ contents: 'hel', truncated: true, requestedPath: 'note.txt' });
      for (const [name, ask, answer] of quickMethods) {
        expect(await ask(session), name).toEqual(answer);
      }
    });

    test('pass on the CLI’s reason for a refusal', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({});
      const asked = session.control('mcp_reconnect', { serverName: 'nobody' });
      await expect(asked).rejects.toMatchObject({
        code: 'REQUEST_REFUSED',
        message: expect.stringContaining('nobody'),
      });
      await expect(session.conversation.setColor('red')).rejects.toMatchObject({
        code: 'ENDPOINT_UNSUPPORTED',
        cause: { code: 'REQUEST_REFUSED', errorCode: 'unsupported_request' },
      });
    });
  },
  ['2.1.326'],
);

type Ask = (session: Session) => Promise<unknown>;

const quickMethods: readonly (readonly [string, Ask, unknown])[] = [
  ['setMaxThinkingTokens', (s) => s.setMaxThinkingTokens(1000, { display: 'omitted' }), undefined],
  ['rename', (s) => s.conversation.rename('Log book'), undefined],
  ['sideQuestion', (s) => s.conversation.sideQuestion('Ready?'), { response: 'Aye.', synthetic: false }],
  ['export', (s) => s.conversation.export(), object('text', 'defaultFilename')],
  ['fork', (s) => s.conversation.fork(), object('forked', 'reason')],
  ['cancelMessage', (s) => s.conversation.cancelMessage('none'), { cancelled: false }],
  ['setHasSubscribers', (s) => s.conversation.setHasSubscribers(true), undefined],
  ['pauseSuggestions', (s) => s.conversation.pauseSuggestions(true), undefined],
  ['suggestions', (s) => s.files.suggestions(''), object('suggestions', 'cwd')],
  ['seedReadState', (s) => s.files.seedReadState('note.txt', 1), undefined],
  ['setCwd', (s) => s.files.setCwd('/'), { status: 'needs_trust', directory: '/' }],
  ['workspaceDiff', (s) => s.files.workspaceDiff(), { diff: null, noDiffReason: 'no-repository' }],
  ['background', (s) => s.tasks.background(), {}],
  ['background one', (s) => s.tasks.background('none'), { backgrounded: false }],
  ['stop', (s) => s.tasks.stop('none'), undefined],
  ['settings.get', (s) => s.settings.get(), object('effective', 'sources', 'applied')],
  ['settings.apply', (s) => s.settings.apply({ permissions: { deny: ['Bash'] } }), undefined],
  ['permissionRules', (s) => s.settings.permissionRules(), object('state')],
  ['hooks', (s) => s.settings.hooks(), object('events', 'eventCatalog')],
  ['models', (s) => s.settings.models(), object('models')],
  ['reloadPlugins', (s) => s.settings.reloadPlugins({ refuseIfBusy: true }), object('errorCount')],
  ['reloadSkills', (s) => s.settings.reloadSkills(), object('skills')],
  ['reloadOutputStyles', (s) => s.settings.reloadOutputStyles(), object('availableOutputStyles')],
  ['contextUsage', (s) => s.reports.contextUsage({ detail: 'summary' }), object('totalTokens')],
  ['usage', (s) => s.reports.usage({ skipBehaviors: true }), object('session', 'rateLimitsAvailable')],
  ['cost', (s) => s.reports.cost(), object('text')],
  ['binaryVersion', (s) => s.reports.binaryVersion(), object('version', 'buildTime')],
  ['status', (s) => s.reports.status(), object('sections')],
  ['plan', (s) => s.reports.plan(), object('exists')],
  ['memory', (s) => s.dialogs.memory(), object('files', 'autoMemory')],
  ['skills', (s) => s.dialogs.skills(), object('skills')],
  ['sandbox', (s) => s.dialogs.sandbox(), object('supported', 'dependencies')],
  ['chrome.dialog', (s) => s.chrome.dialog(), object('installed', 'enabledByDefault')],
];

/** Any object that has at least these keys. */
function object(...keys: string[]): unknown {
  return expect.objectContaining(Object.fromEntries(keys.map((key) => [key, expect.anything()])));
}
