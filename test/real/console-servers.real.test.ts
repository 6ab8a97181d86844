import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { OpenOptions } from '../../src/entry/sdk/remote-session.js';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { BareClient } from '../support/console.js';
import { describeInstalledClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';
import { pidServer, resultOfTool } from './support/tool-turn.js';

const NO_TOOL = /No such tool available/;

function teller(words: string) {
  const input = { type: 'object', properties: {} };
  return mcpServer('tell', [tool({ name: 'tell', description: 'Tells.', input, run: () => words })]);
}

describeInstalledClis('MCP servers of a program over a console, on CLI $version', (cli) => {
  async function begin(mcpServers: OpenOptions['mcpServers']) {
    const place = await realPlace(cli);
    onTestFinished(() => place[Symbol.asyncDispose]());
    const { cwd: _cwd, ...session } = place.options({ mcpServers: { ours: teller('the console') } });
    const server = await startConsole({
      roots: [place.folders.cwd],
      stateFolder: join(place.folders.home, 'state'),
      configDir: join(place.folders.home, '.claude'),
      session,
    });
    onTestFinished(() => server.close());
    const allowedTools = ['mcp__pid__whoami', 'mcp__ours__tell', 'mcp__theirs__tell'];
    const remote = server.url;
    const program = await openSession({ remote, cwd: place.folders.cwd, mcpServers, allowedTools });
    onTestFinished(async () => void (await program.close()));
    const page = await BareClient.connect(server);
    const listed = (await page.ever(({ type }) => type === 'sessions')).sessions;
    const id = String((Array.isArray(listed) ? listed[0] : undefined)?.id);
    const stateOf = async (name: string) => {
      const { servers } = await page.ask('mcp.status', {}, { session: id });
      return servers.find((each) => each.name === name)?.status;
    };
    return { place, program, page, id, stateOf };
  }

  test('a server that the program disabled is disabled for the page too, even after a reopen, and can be enabled', async () => {
    const { place, program, page, id, stateOf } = await begin({ pid: pidServer });
    expect(await resultOfTool(place, program)).toMatch(/^pid \d+$/);
    const { how } = await program.supports('mcp_disable', { server: 'pid' });
    if (how === 'no') {
      await expect(program.mcp.disable('pid')).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
      return;
    }
    expect(await program.mcp.disable('pid')).toMatchObject({ success: true, status: 'disabled', how });
    expect(await stateOf('pid')).toBe('disabled');
    expect(await resultOfTool(place, program)).toMatch(NO_TOOL);
    await program.close();
    await program.reopen();
    expect(await stateOf('pid')).toBe('disabled');
    expect(await resultOfTool(place, program)).toMatch(NO_TOOL);
    expect(await page.ask('mcp.enable', { server: 'pid' }, { session: id })).toMatchObject({ success: true });
    expect((await program.mcp.status()).mcpServers.find(({ name }) => name === 'pid')?.status).toBe(
      'connected',
    );
    expect(await resultOfTool(place, program)).toMatch(/^pid \d+$/);
  });

  test('the console’s servers are available next to the program’s, even after the program has added one', async () => {
    const { place, program } = await begin({ theirs: teller('the program') });
    expect(await resultOfTool(place, program, 'mcp__ours__tell')).toBe('the console');
    expect(await resultOfTool(place, program, 'mcp__theirs__tell')).toBe('the program');
    await program.mcp.add({ pid: pidServer });
    expect(await resultOfTool(place, program)).toMatch(/^pid \d+$/);
    expect(await resultOfTool(place, program, 'mcp__ours__tell')).toBe('the console');
    expect(await resultOfTool(place, program, 'mcp__theirs__tell')).toBe('the program');
    await program.mcp.remove('pid');
    expect(await resultOfTool(place, program)).toMatch(NO_TOOL);
  });
});
