import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import type { Session } from '../../src/host/session/session.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

const echo = (...args: readonly string[]) => ({
  command: process.execPath,
  args: [resolve('test/fixtures/mcp/echo.mjs'), ...args],
});
const hello = (name: string) =>
  mcpServer(name, [tool({ name: 'hello', description: 'Says hello', run: () => `hello from ${name}` })]);
const missing = { command: '/no/such/program' };

async function states(session: Session): Promise<readonly string[]> {
  const { mcpServers } = await session.mcp.status();
  return mcpServers.map(({ name, status }) => `${name} ${status}`).toSorted();
}

describeRealClis('MCP servers at run time', (cli) => {
  const isOldest = cli.version === '2.0.73';

  test('in other processes are added, set and removed, and failures are reported', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({
      mcpServers: { given: echo(), own: hello('own') },
      waitForServers: ['given', 'own'],
    });
    expect(await session.mcp.add({ one: echo() })).toEqual({ added: ['one'], removed: [], errors: {} });
    const { added, errors } = await session.mcp.add({ two: echo(), bad: missing });
    expect(added).toEqual(['two']);
    expect(errors).toEqual({ bad: expect.any(String) });
    expect(await states(session)).toEqual([
      'bad failed',
      'given connected',
      'one connected',
      'own connected',
      'two connected',
    ]);
    expect(await session.mcp.remove('bad')).toMatchObject({ removed: ['bad'] });
    expect(await session.mcp.set({ two: echo() })).toEqual({ added: [], removed: ['one'], errors: {} });
    expect(await states(session)).toEqual(['given connected', 'own connected', 'two connected']);
  });

  test('in this process are added and work at once, or are refused before anything is sent', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({
      mcpServers: { own: hello('own') },
      allowedTools: ['mcp__own', 'mcp__extra'],
    });
    const adding = session.mcp.add({ extra: hello('extra') });
    if (isOldest) {
      await expect(adding).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
      return;
    }
    expect(await adding).toEqual({ added: ['extra'], removed: [], errors: {} });
    const script = place.model.play([
      { when: 'both', reply: toolUse('mcp__extra__hello', {}) },
      { when: { toolResult: /hello from extra/ }, reply: toolUse('mcp__own__hello', {}) },
      { when: { toolResult: /hello from own/ }, reply: text('both said hello') },
    ]);
    expect(await session.send('both').text()).toBe('both said hello');
    script.assertFinished();
    const replaced = mcpServer('other', [
      tool({ name: 'hello', description: 'd', run: () => 'hello from another' }),
    ]);
    expect(await session.mcp.add({ extra: replaced })).toMatchObject({ added: ['extra'], errors: {} });
    place.model.play([
      { when: 'again', reply: toolUse('mcp__extra__hello', {}) },
      { when: { toolResult: /hello from another/ }, reply: text('the new one') },
    ]);
    expect(await session.send('again').text()).toBe('the new one');
  });

  test('that were given are removed if the CLI supports it, otherwise the reason is reported', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({
      mcpServers: { given: echo(), own: hello('own'), other: hello('other') },
      waitForServers: ['given', 'own', 'other'],
    });
    const unsupported = { code: 'ENDPOINT_UNSUPPORTED', message: /It keeps the servers it was started with/ };
    if (isOldest) await expect(session.mcp.remove('own')).rejects.toMatchObject(unsupported);
    else expect(await session.mcp.remove('own')).toEqual({ added: [], removed: ['own'], errors: {} });
    expect(await session.mcp.remove('given')).toEqual({ added: [], removed: ['given'], errors: {} });
    const left = isOldest ? ['other', 'own'] : ['other'];
    expect(await states(session)).toEqual(left.map((name) => `${name} connected`));
  });

  test('are set again, or stay removed, when the session is reopened', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({ mcpServers: { own: hello('own') } });
    await session.mcp.add({ extra: echo() });
    place.model.play([{ when: 'remember', reply: text('noted') }]);
    await session.send('remember').text();
    await session.close();
    await session.reopen();
    place.model.play([{ when: 'and now', reply: text('noted') }]);
    await session.send('and now').text();
    expect(await states(session)).toEqual(['extra connected', 'own connected']);
    expect(await session.mcp.remove('extra')).toMatchObject({ removed: ['extra'] });
    expect(await states(session)).toEqual(['own connected']);
  });

  test('fail the open by name if the session waited for them', async () => {
    await using place = await realPlace(cli);
    await expect(
      place.open({ mcpServers: { bad: missing, fine: echo() }, waitForServers: ['bad', 'fine'] }),
    ).rejects.toMatchObject({ code: 'MCP_NOT_READY', message: expect.stringContaining('"bad" (failed') });
  });
});
