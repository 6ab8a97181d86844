import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Session } from '../../src/host/session/session.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { describeRealClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';
import { brokenServer, pidServer, resultOfTool } from './support/tool-turn.js';

const NO_TOOL = /No such tool available/;
const allowedTools = ['mcp__pid__whoami'];
const full = { command: process.execPath, args: [join(process.cwd(), 'test/fixtures/mcp/full.mjs')] };

async function servers(session: Session): Promise<readonly string[]> {
  const { mcpServers } = await session.mcp.status();
  return mcpServers.map(({ name, status }) => `${name} ${status}`).toSorted();
}

describeRealClis(
  'a process server that the session was opened with',
  (cli) => {
    test('is available in the first turn, is reconnected, disabled and enabled, and the next turn shows it', async () => {
      await using place = await realPlace(cli);
      const told: Diagnostic[] = [];
      await using session = await place.open({
        allowedTools,
        mcpServers: { pid: pidServer },
        onDiagnostic: (diagnostic) => told.push(diagnostic),
      });
      const first = await resultOfTool(place, session);
      expect(first).toMatch(/^pid \d+$/);
      expect(await session.supports('mcp_reconnect', { server: 'pid' })).toMatchObject({
        how: 'equivalent',
        by: 'mcp_set_servers',
      });
      const changed = { serverName: 'pid', success: true, error: null, how: 'equivalent', remembered: false };
      expect(await session.mcp.reconnect('pid')).toMatchObject({ ...changed, status: 'connected' });
      const second = await resultOfTool(place, session);
      expect(second).toMatch(/^pid \d+$/);
      expect(second).not.toBe(first);

      expect(await session.mcp.disable('pid')).toMatchObject({ ...changed, status: 'disabled' });
      expect(await resultOfTool(place, session)).toMatch(NO_TOOL);
      await session.mcp.set({ extra: pidServer });
      expect(await servers(session)).toEqual(['extra connected', 'pid disabled']);
      expect(await session.mcp.enable('pid')).toMatchObject({ ...changed, status: 'connected' });
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+$/);
      expect(await servers(session)).toEqual(['extra connected', 'pid connected']);
      expect(told).toEqual([]);
    });

    test('survives other sets and a reopen, and is gone for good once it is removed', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({ allowedTools, mcpServers: { pid: pidServer } });
      await session.mcp.set({ extra: pidServer });
      await session.mcp.set({});
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+$/);
      await session.close();
      await session.reopen();
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+$/);
      await session.mcp.remove('pid');
      expect(await resultOfTool(place, session)).toMatch(NO_TOOL);
      await session.close();
      await session.reopen();
      expect(await resultOfTool(place, session)).toMatch(NO_TOOL);
    });

    test('is available to subagents', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({
        allowedTools: ['Task', ...allowedTools],
        mcpServers: { pid: pidServer },
        agents: { helper: { description: 'Helps', prompt: 'Help.' } },
      });
      const job = { description: 'Help', prompt: 'the job', subagent_type: 'helper' };
      const script = place.model.play([
        { when: 'let it help', reply: toolUse('Task', job) },
        { when: 'the job', reply: toolUse('mcp__pid__whoami', {}) },
        { when: { toolResult: /^pid \d+$/ }, reply: text('It has an id.') },
        { when: { toolResult: /It has an id/ }, reply: text('Done.') },
      ]);
      expect(await session.send('let it help').text()).toBe('Done.');
      script.assertFinished();
    });

    test('that cannot start is reported by name, and the session continues', async () => {
      await using place = await realPlace(cli);
      const told: Diagnostic[] = [];
      await using session = await place.open({
        allowedTools,
        mcpServers: { pid: pidServer, broken: brokenServer },
        onDiagnostic: (diagnostic) => told.push(diagnostic),
      });
      expect(told).toMatchObject([{ code: 'MCP_SERVER_FAILED', server: 'broken' }]);
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+$/);
    });

    test('goes on the command line if the files do not show the version', async () => {
      await using place = await realPlace(cli);
      const wrapper = join(place.folders.tmp, 'wrapped-cli');
      const start = cli.path.endsWith('.js') ? `"${process.execPath}" "${cli.path}"` : `"${cli.path}"`;
      await writeFile(wrapper, `#!/bin/sh\nexec ${start} "$@"\n`);
      await chmod(wrapper, 0o755);
      await using session = await place.open({ cli: wrapper, allowedTools, mcpServers: { pid: pidServer } });
      expect(await resultOfTool(place, session)).toMatch(/^pid \d+$/);
      expect(session.version).toBe(cli.version);
      expect(await session.supports('mcp_reconnect', { server: 'pid' })).toMatchObject({ how: 'no' });
    });
  },
  ['2.0.73', '2.1.17'],
);

/** What a server offers besides its tool, as seen in a turn. */
async function brings(place: RealPlace, session: Session): Promise<Record<string, boolean>> {
  place.model.play([
    { when: 'read it', reply: toolUse('ReadMcpResourceTool', { server: 'full', uri: 'note://today' }) },
    { when: { toolResult: /./ }, reply: text('Done.') },
  ]);
  const turn = session.send('read it');
  const commands: unknown[] = [];
  for await (const { subtype, slash_commands: named } of turn)
    if (subtype === 'init' && Array.isArray(named)) commands.push(...named);
  const result = place.model.lastRequest()?.toolResults.at(-1)?.text ?? '';
  return { resources: result.includes('low tide at noon'), prompts: commands.includes('mcp__full__greet') };
}

describeRealClis('resources and prompts of a process server are available', (cli) => {
  const options = { mcpServers: { full }, waitForServers: ['full'], allowedTools: ['ReadMcpResourceTool'] };

  test('always if it is on the command line', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({ ...options, serversAtLaunch: true });
    expect(await brings(place, session)).toEqual({ resources: true, prompts: true });
  });

  test('otherwise only on newer CLIs', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open(options);
    const isNew = cli.version === '2.1.326';
    expect(await brings(place, session)).toEqual({ resources: isNew, prompts: isNew });
  });
});
