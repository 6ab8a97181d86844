import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { describeRealClis } from './support/each-real-cli.js';
import { throwawayCache } from './support/patched-clis.js';
import { realPlace } from './support/real-session.js';
import { brokenServer, pidServer, resultOfTool } from './support/tool-turn.js';

const cache = throwawayCache();
const patched = () => ({ patched: { cacheFolder: cache.folder } });
const NO_TOOL = /No such tool available/;

/** The patch that the page on patches shows. */
const PING = `export const patch = {
  id: 'answer-ping',
  description: 'Answers the request ping.',
  required: true,
  serves: ['ping'],
  apply(ast, types, traverse, context) {
    const { message, succeed } = context.names;
    context.addRequest('ping', succeed + '(' + message + ', { pong: true });');
    return { success: true, details: ['ping is answered'] };
  },
};`;

describeRealClis(
  'a session on a patched CLI',
  (cli) => {
    test('reconnects and switches servers from the command line, and the next turn shows it', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({
        ...patched(),
        allowedTools: ['mcp__pid__whoami'],
        mcpServers: { pid: pidServer, broken: brokenServer },
      });
      const first = await resultOfTool(place, session);
      expect(await session.mcp.reconnect('pid')).toEqual({
        success: true,
        serverName: 'pid',
        status: 'connected',
        toolsCount: 1,
        error: null,
        how: 'patched',
        remembered: false,
      });
      const second = await resultOfTool(place, session);
      expect(second).toMatch(/^pid \d+/);
      expect(second).not.toBe(first);
      expect(await session.mcp.disable('pid')).toMatchObject({ status: 'disabled', toolsCount: 0 });
      expect(await resultOfTool(place, session)).toMatch(NO_TOOL);
      expect((await session.mcp.status()).mcpServers).toContainEqual({ name: 'pid', status: 'disabled' });
      expect(await session.mcp.enable('pid')).toMatchObject({ status: 'connected', toolsCount: 1 });
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+/);
      expect(await session.mcp.reconnect('broken')).toMatchObject({ success: false, status: 'failed' });
      await expect(session.mcp.reconnect('nobody')).rejects.toMatchObject({ code: 'MCP_SERVER_UNKNOWN' });
    });

    test('lists tools with description, schema and annotations', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({ ...patched(), mcpServers: { pid: pidServer } });
      const tool = {
        name: 'whoami',
        serverName: 'pid',
        description: 'Tells the process id',
        inputSchema: { type: 'object', properties: { politely: { type: 'boolean' } } },
        annotations: { readOnly: true },
      };
      expect(await session.mcp.tools('pid')).toEqual({
        serverName: 'pid',
        tools: [tool],
        count: 1,
        namesOnly: [],
      });
      expect(await session.mcp.tools()).toEqual({ serverName: null, tools: [tool], count: 1, namesOnly: [] });
      await expect(session.mcp.tools('nobody')).rejects.toMatchObject({ code: 'MCP_SERVER_UNKNOWN' });
    });

    test('tells servers apart whose names begin alike', async () => {
      await using place = await realPlace(cli);
      const mcpServers = { a: pidServer, a__b: pidServer };
      await using session = await place.open({ ...patched(), mcpServers });
      // Sorted, as the CLI lists servers in the order in which they were connected.
      const tools = async (name?: string) =>
        (await session.mcp.tools(name)).tools.map(({ serverName, name }) => `${serverName} ${name}`).sort();
      expect(await tools('a')).toEqual(['a whoami']);
      expect(await tools()).toEqual(['a whoami', 'a__b whoami']);
      await session.mcp.disable('a');
      expect(await tools()).toEqual(['a__b whoami']);
    });

    test('applies patches of users too, and finds the CLI behind a link', async () => {
      await using place = await realPlace(cli);
      const folder = await mkdtemp(join(place.folders.tmp, 'patches-'));
      await writeFile(join(folder, 'ping.mjs'), PING);
      const link = join(place.folders.tmp, 'claude');
      await symlink(cli.path, link);
      const own = { folder, cacheFolder: cache.folder };
      await using session = await place.open({ cli: link, patched: own });
      expect(session.version).toBe(cli.version);
      expect(await session.control<string>('ping')).toEqual({ pong: true });
    });

    test('switches an in-process server off and on; there is no connection of it to make anew', async () => {
      await using place = await realPlace(cli);
      const now = tool({ name: 'now', description: 'Tells the time', run: () => 'noon' });
      await using session = await place.open({
        ...patched(),
        allowedTools: ['mcp__clock__now'],
        mcpServers: { clock: mcpServer('clock', [now]) },
      });
      const call = () => resultOfTool(place, session, 'mcp__clock__now');
      expect(await call()).toContain('noon');
      expect((await session.mcp.tools('clock')).tools).toMatchObject([
        { name: 'now', serverName: 'clock', description: 'Tells the time' },
      ]);
      expect(await session.mcp.disable('clock')).toMatchObject({ success: true, status: 'disabled' });
      expect(await call()).toMatch(NO_TOOL);
      expect(await session.mcp.enable('clock')).toMatchObject({ status: 'connected', toolsCount: 1 });
      expect(await call()).toContain('noon');
      expect(await session.mcp.reconnect('clock')).toMatchObject({
        success: false,
        status: 'connected',
        error: expect.stringContaining('In-process'),
        how: 'patched',
      });
    });

    test('answers an unknown request instead of staying silent', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open(patched());
      await expect(session.control<string>('from_the_future')).rejects.toMatchObject({
        code: 'ENDPOINT_UNSUPPORTED',
        message: expect.stringContaining('from_the_future'),
      });
    });
  },
  ['2.0.73', '2.1.17'],
);

describeRealClis(
  'a session on a patched CLI',
  (cli) => {
    test('moves a running command to the background by its tool use', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({ ...patched(), allowedTools: ['Bash'] });
      const command = 'node -e "setTimeout(() => {}, 60000)"';
      const script = place.model.play([
        { when: 'run', reply: toolUse('Bash', { command }, 'toolu_long') },
        { when: { toolResult: /background/ }, reply: text('It runs on.') },
      ]);
      const turn = session.send('run');
      expect(await session.background('toolu_long')).toEqual({ backgrounded: true });
      expect(await turn.text()).toBe('It runs on.');
      script.assertFinished();
      expect(await session.background()).toEqual({ backgrounded: false });
      expect(await session.background('nobody', { waitMs: 10 })).toEqual({ backgrounded: false });
    });

    test('says when the earlier message is not there, and goes on', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open(patched());
      place.model.play([{ reply: text('Aye.'), times: 'any' }]);
      expect(await session.send('one').text()).toBe('Aye.');
      expect(await session.send('two', { parentUuid: 'nobody' }).outcome).toMatchObject({
        kind: 'error',
        message: expect.stringContaining('nobody'),
      });
      expect(await session.send('three', { parentUuid: null }).text()).toBe('Aye.');
      const shown = JSON.stringify(place.model.model.requests.at(-1)?.messages);
      expect(shown).toContain('three');
      expect(shown).not.toContain('"one"');
    });
  },
  ['2.0.73'],
);
