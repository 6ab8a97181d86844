import { mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { probeServer } from '../../src/command/patch/probe-server.js';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { preparePatchedCli } from '../../src/host/patches/prepare.js';
import type { TurnOutcome } from '../../src/host/session/turns/outcome.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { knownRealClis } from '../../src/lab/testing/real-cli/known-clis.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { spawnLines } from '../../src/wire/transport/process/spawn-lines.js';
import { deferred } from '../../src/wire/util/deferred.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { describeInstalledClis, describeRealClis } from './support/each-real-cli.js';
import { javaScriptClis, throwawayCache } from './support/patched-clis.js';
import { realPlace } from './support/real-session.js';
import { pidServer, resultOfTool } from './support/tool-turn.js';
import { moveSecondOfTwoAgents } from './support/two-agents.js';

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

describeInstalledClis(
  'a session on a patched CLI $version',
  (cli) => {
    test('reports its capabilities to every host, even over a custom transport', async () => {
      await using place = await realPlace(cli);
      const { path } = await preparePatchedCli(cli.path, { cacheFolder: cache.folder });
      const { env = {} } = place.options();
      const transport = await spawnLines({
        file: process.execPath,
        args: [
          path,
          '--print',
          '--input-format',
          'stream-json',
          '--output-format',
          'stream-json',
          '--verbose',
        ],
        cwd: place.folders.cwd,
        env: { ...env },
      });
      await using session = await openSession({ transport });
      expect(session.info.coxswain_patches).toContainEqual({
        id: '005-mcp-tools',
        version: 2,
        serves: ['mcp_tools'],
      });
      expect(await session.supports('mcp_tools')).toMatchObject({ how: 'patched' });
      expect(await session.mcp.tools()).toMatchObject({ tools: [] });
      place.model.play([{ reply: text('Aye.') }]);
      await session.send('hello').text();
      expect(session.version).toBe(cli.version);
    });

    test('an agent moved to the background is stopped, and that is reported', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({ ...patched(), allowedTools: ['Task'] });
      const job = { description: 'Work', prompt: 'the job', subagent_type: 'general-purpose' };
      const never = deferred<void>();
      place.model.play(async ({ messages, toolResults }) => {
        const said = JSON.stringify(messages.at(-1));
        if (said.includes('the job')) await never.promise;
        if (said.includes('start') && toolResults.length === 0) return toolUse('Task', job, 'toolu_agent');
        return text('It runs on.');
      });
      const started = deferred<string>();
      const ended = deferred<unknown>();
      session.on('message', ({ subtype, task_id: id, status }) => {
        if (subtype === 'task_started') started.resolve(String(id));
        if (subtype === 'task_notification') ended.resolve(status);
      });
      const turn = session.send('start');
      expect(await session.background('toolu_agent')).toEqual({ backgrounded: true });
      expect(await session.supports('stop_task')).not.toMatchObject({ how: 'no' });
      await session.tasks.stop(await started.promise);
      expect(await ended.promise).toBe('stopped');
      // 2.1.112 ends the turn after its agents.
      expect(await turn.text()).toBe('It runs on.');
      await session.settled({ deadlineMs: 30_000 });
      never.resolve();
      expect(await session.send('are you there?').text()).toBe('It runs on.');
    });

    test('of two agents with the same prompt, the one that is named is moved', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({ ...patched(), allowedTools: ['Task'] });
      expect(await moveSecondOfTwoAgents(place, session)).toBe('toolu_second');
    });

    test('serves a program over a console server, and requests of a page there', async () => {
      await using place = await realPlace(cli);
      const { cwd: _cwd, ...options } = place.options(patched());
      const { cwd, home } = place.folders;
      await using server = await startConsole({
        roots: [cwd],
        stateFolder: join(home, 'state'),
        configDir: join(home, '.claude'),
        session: options,
      });
      const allowedTools = ['mcp__pid__whoami', 'Task'];
      const unsure = probeServer(place.folders.tmp);
      unsure.next('down');
      const mcpServers = { pid: pidServer, unsure: unsure.config };
      await using session = await openSession({ remote: server.url, cwd, mcpServers, allowedTools });
      const first = await resultOfTool(place, session);
      expect(await session.supports('mcp_tools', { server: 'pid' })).toMatchObject({ how: 'patched' });
      const { tools } = await session.mcp.tools('pid');
      expect(tools).toMatchObject([{ name: 'whoami', inputSchema: { type: 'object' } }]);
      expect(await session.mcp.reconnect('pid')).toMatchObject({ success: true, how: 'patched' });
      expect(await resultOfTool(place, session)).not.toBe(first);
      expect(await session.mcp.disable('pid')).toMatchObject({ success: true, remembered: false });
      expect(await resultOfTool(place, session)).toMatch(NO_TOOL);
      await session.close();
      await session.reopen();
      expect((await session.mcp.status()).mcpServers).toContainEqual(
        expect.objectContaining({ name: 'pid', status: 'disabled' }),
      );
      expect(await session.mcp.enable('pid')).toMatchObject({ success: true, status: 'connected' });
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+/);
      expect(await session.chrome.status()).toMatchObject({ installed: expect.any(Boolean) });
      await expect(session.control<string>('from_the_future')).rejects.toThrow('from_the_future');
      expect(await session.mcp.reconnect('unsure')).toMatchObject({ success: false, status: 'failed' });
      unsure.next('up');
      expect(await session.mcp.reconnect('unsure')).toMatchObject({ success: true, status: 'connected' });
      expect(await unsure.running(1)).toBe(1);
    });

    test('lists tools with description, schema and annotations', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({ ...patched(), mcpServers: { pid: pidServer } });
      const tool = {
        name: 'whoami',
        serverName: 'pid',
        description: 'Returns the process id',
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

    test('applies users’ patches too, and finds the CLI behind a link', async () => {
      await using place = await realPlace(cli);
      const folder = await mkdtemp(join(place.folders.tmp, 'patches-'));
      await writeFile(join(folder, 'ping.cjs'), PING.replace('export const patch =', 'module.exports ='));
      const link = join(place.folders.tmp, 'claude');
      await symlink(cli.path, link);
      const own = { folder, cacheFolder: cache.folder };
      const told: Diagnostic[] = [];
      const onDiagnostic = (diagnostic: Diagnostic) => void told.push(diagnostic);
      await using session = await place.open({ cli: link, patched: own, onDiagnostic });
      expect(told).toMatchObject([
        {
          code: 'PATCHES_APPLIED',
          applied: expect.arrayContaining(['answer-ping', '005-mcp-tools']),
          missing: [],
        },
      ]);
      expect(session.version).toBe(cli.version);
      expect(await session.control<string>('ping')).toEqual({ pong: true });
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
  { clis: javaScriptClis() },
);

describeRealClis(
  'a session on a patched CLI',
  (cli) => {
    test('an agent moved to the background is reported until its end, and the model is told', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({ ...patched(), allowedTools: ['Task'] });
      const job = { description: 'Work', prompt: 'the job', subagent_type: 'general-purpose' };
      const finish = deferred<void>();
      place.model.play(async ({ messages, toolResults }) => {
        const said = JSON.stringify(messages.at(-1));
        if (said.includes('-notification>')) return text('I have heard.');
        if (toolResults.length > 0) return text('It runs on.');
        if (said.includes('start')) return toolUse('Task', job, 'toolu_agent');
        if (said.includes('the job')) await finish.promise;
        return text('The job is done.');
      });
      const tasks: unknown[] = [];
      session.on('message', ({ subtype, task_id: id, tool_use_id: call, status }) => {
        if (String(subtype).startsWith('task_')) tasks.push([subtype, id, call, status]);
      });
      const unasked: Promise<TurnOutcome>[] = [];
      session.on('unasked', (turn) => void unasked.push(turn.outcome));
      const turn = session.send('start');
      expect(await session.background('toolu_agent')).toEqual({ backgrounded: true });
      expect(await turn.text()).toBe('It runs on.');
      let settled = false;
      const settling = session.settled({ deadlineMs: 60_000 }).then(() => {
        settled = true;
      });
      expect(tasks).toMatchObject([['task_started', expect.any(String), 'toolu_agent', undefined]]);
      expect(settled).toBe(false);
      finish.resolve();
      await settling;
      expect(tasks.at(-1)).toMatchObject([
        'task_notification',
        expect.any(String),
        'toolu_agent',
        'completed',
      ]);
      expect(unasked).toHaveLength(1);
      expect(await unasked[0]).toMatchObject({ kind: 'success', text: 'I have heard.' });
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

    test('reports a missing parent message, and continues', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open(patched());
      place.model.play([{ reply: text('Aye.'), times: 'any' }]);
      expect(await session.send('one').text()).toBe('Aye.');
      expect(await session.send('two', { parentUuid: 'nobody' }).outcome).toMatchObject({
        kind: 'error',
        message: expect.stringContaining('nobody'),
      });
      expect(await session.send('three', { parentUuid: null }).text()).toBe('Aye.');
      const shown = JSON.stringify(place.model.lastRequest()?.messages);
      expect(shown).toContain('three');
      expect(shown).not.toContain('"one"');
    });
  },
  ['2.0.73'],
);

describe('a CLI that cannot be patched', () => {
  const native = knownRealClis().find(({ version }) => version === '2.1.326');

  test('is refused, or started unpatched with `try`', async ({ skip }) => {
    if (native === undefined) return skip('the real CLI 2.1.326 is not installed in test/real-clis');
    await using place = await realPlace(native);
    await expect(place.open({ patched: true })).rejects.toMatchObject({ code: 'CLI_NOT_PATCHABLE' });
    const told: Diagnostic[] = [];
    const onDiagnostic = (diagnostic: Diagnostic) => void told.push(diagnostic);
    await using session = await place.open({ patched: 'try', onDiagnostic });
    expect(told).toMatchObject([
      { code: 'PATCHES_APPLIED', applied: [], message: /started as it is.*native/ },
    ]);
    expect(await session.supports('mcp_tools')).toMatchObject({ how: 'equivalent' });
  });
});
