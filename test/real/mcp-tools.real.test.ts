import { expect, test } from 'vitest';
import * as z from 'zod';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import { reply, text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { deferred } from '../../src/wire/util/deferred.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { RpcServer } from '../support/rpc-server.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

describeRealClis('in-process tools', (cli) => {
  const now = tool({
    name: 'now',
    description: 'Tells the time',
    input: z.object({ city: z.string() }),
    run: ({ city }, { session, toolUseId }) => `noon in ${city} ${session?.id} ${toolUseId?.slice(0, 6)}`,
    annotations: { readOnlyHint: true },
  });
  const allowed = ['mcp__clock'];

  test('are called by name, and their answers reach the model', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({
      mcpServers: { clock: mcpServer('clock', [now]) },
      allowedTools: allowed,
      waitForServers: ['clock'],
    });
    const script = place.model.play([
      { when: 'what time', reply: toolUse('mcp__clock__now', { city: 'Rome' }) },
      { when: { toolResult: new RegExp(`noon in Rome ${session.id} toolu_`) }, reply: text('It is noon.') },
    ]);
    const tools: unknown[] = [];
    const turn = session.send('what time is it');
    for await (const message of turn) if (message.subtype === 'init') tools.push(message.tools);
    expect(await turn.text()).toBe('It is noon.');
    expect(tools).toEqual([expect.arrayContaining(['mcp__clock__now'])]);
    script.assertFinished();
  });

  test('that throw, get wrong arguments or do not exist return tool errors, and the turn continues', async () => {
    await using place = await realPlace(cli);
    const told: Diagnostic[] = [];
    const broken = tool({
      name: 'broken',
      description: 'Fails',
      run: () => Promise.reject(new Error('out of order')),
    });
    await using session = await place.open({
      mcpServers: { clock: mcpServer('clock', [now, broken]) },
      allowedTools: allowed,
      onDiagnostic: (diagnostic) => told.push(diagnostic),
    });
    const script = place.model.play([
      { when: 'go', reply: toolUse('mcp__clock__broken', {}) },
      { when: { toolResult: /out of order/ }, reply: toolUse('mcp__clock__now', { city: 5 }) },
      { when: { toolResult: /city/ }, reply: text('I give up.') },
    ]);
    const results: unknown[] = [];
    const turn = session.send('go');
    for await (const message of turn) results.push(...toolResults(message));
    expect(await turn.text()).toBe('I give up.');
    expect(results).toMatchObject([{ is_error: true }, { is_error: true }]);
    expect(told.filter(({ code }) => code === 'MCP_TOOL_FAILED')).toMatchObject([
      { server: 'clock', tool: 'broken' },
    ]);
    script.assertFinished();
  });

  test('run in parallel if the model calls several read-only ones', async () => {
    await using place = await realPlace(cli);
    const all = deferred<void>();
    let running = 0;
    const wait = tool({
      name: 'wait',
      description: 'Waits for the others',
      run: async () => {
        running += 1;
        if (running === 3) all.resolve();
        await all.promise;
        return 'together';
      },
      annotations: { readOnlyHint: true },
    });
    await using session = await place.open({
      mcpServers: { clock: mcpServer('clock', [wait]) },
      allowedTools: allowed,
    });
    const calls = [1, 2, 3].map((n) => toolUse('mcp__clock__wait', { n }));
    place.model.play([{ when: 'go', reply: reply(calls) }, { reply: text('all three') }]);
    expect(await session.send('go').text()).toBe('all three');
    expect(running).toBe(3);
  });

  test('that take long are aborted by an interrupt, and the session continues', async () => {
    await using place = await realPlace(cli);
    const begun = deferred<AbortSignal>();
    const slow = tool({
      name: 'slow',
      description: 'Takes its time',
      run: (_input, { signal, progress }) => {
        progress(1, { total: 2, message: 'half way' });
        begun.resolve(signal);
        return new Promise(() => {});
      },
    });
    await using session = await place.open({
      mcpServers: { clock: mcpServer('clock', [slow, now]) },
      allowedTools: allowed,
    });
    place.model.play([{ when: 'go', reply: toolUse('mcp__clock__slow', {}) }]);
    const turn = session.send('go');
    const signal = await begun.promise;
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    await session.interrupt();
    await aborted;
    expect((await turn.outcome).kind).toBe('interrupted');
    place.model.play([
      { when: 'again', reply: toolUse('mcp__clock__now', { city: 'Rome' }) },
      { when: { toolResult: /noon in Rome/ }, reply: text('still here') },
    ]);
    expect(await session.send('again').text()).toBe('still here');
    expect(session.waitingFor).toEqual([]);
  });

  test('of one set serve two sessions at once', async () => {
    await using place = await realPlace(cli);
    const server = mcpServer('clock', [now]);
    const options = { mcpServers: { clock: server }, allowedTools: allowed };
    const sessions = await Promise.all([place.open(options), place.open(options)]);
    for (const [index, session] of sessions.entries()) {
      const script = place.model.play([
        { when: `who ${index}`, reply: toolUse('mcp__clock__now', { city: 'Rome' }) },
        { when: { toolResult: new RegExp(String(session.id)) }, reply: text('mine') },
      ]);
      expect(await session.send(`who ${index}`).text()).toBe('mine');
      script.assertFinished();
    }
    await Promise.all(sessions.map((session) => session.close()));
  });

  test('of a reopened session are available again', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({
      mcpServers: { clock: mcpServer('clock', [now]) },
      allowedTools: allowed,
    });
    place.model.play([{ when: 'remember', reply: text('noted') }]);
    await session.send('remember').text();
    await session.close();
    await session.reopen();
    const script = place.model.play([
      { when: 'what time', reply: toolUse('mcp__clock__now', { city: 'Rome' }) },
      { when: { toolResult: /noon in Rome/ }, reply: text('noon') },
    ]);
    expect(await session.send('what time').text()).toBe('noon');
    script.assertFinished();
  });

  test('can be hand-written: a server object that also sends requests to the CLI, with ids that are in use', async () => {
    await using place = await realPlace(cli);
    const server = new RpcServer();
    await using session = await place.open({ mcpServers: { hand: server }, allowedTools: ['mcp__hand'] });
    place.model.play([
      { when: 'go', reply: toolUse('mcp__hand__now', {}) },
      { when: { toolResult: /by hand/ }, reply: text('done') },
    ]);
    const turn = session.send('go');
    await expect.poll(() => server.requests('tools/call'), { timeout: 60_000 }).toHaveLength(1);
    const [call] = server.requests('tools/call');
    for (const id of [0, 1, 2, 3]) await server.send({ id, method: 'ping' });
    await server.send({ id: 4, method: 'roots/list' });
    const answers = () => server.received.filter(({ method }) => method === undefined);
    await expect.poll(answers).toHaveLength(5);
    expect(answers().map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
    expect(answers().at(-1)).toMatchObject({ error: { code: -32601 } });
    await server.answer(call, { content: [{ type: 'text', text: 'made by hand' }] });
    expect(await turn.text()).toBe('done');
  });

  test('of a server that hangs during setup delay nothing, and it is named', async () => {
    await using place = await realPlace(cli);
    const told: Diagnostic[] = [];
    await using session = await place.open({
      mcpServers: {
        stuck: { connect: () => new Promise(() => {}) },
        mute: new RpcServer({}),
        clock: mcpServer('clock', [now]),
      },
      // The clock has the same limit, and must keep it on a busy machine too.
      mcpSetupMs: 3_000,
      allowedTools: allowed,
      onDiagnostic: (diagnostic) => told.push(diagnostic),
    });
    place.model.play([
      { when: 'what time', reply: toolUse('mcp__clock__now', { city: 'Rome' }) },
      { when: { toolResult: /noon in Rome/ }, reply: text('noon all the same') },
    ]);
    expect(await session.send('what time').text()).toBe('noon all the same');
    const failed = told.flatMap((each) => (each.code === 'MCP_SERVER_FAILED' ? [each.server] : []));
    expect(new Set(failed)).toEqual(new Set(['stuck', 'mute']));
    const unready = told.flatMap((each) => (each.code === 'MCP_NOT_READY' ? each.servers : []));
    expect(unready).toEqual(expect.arrayContaining(['stuck', 'mute']));
  });
});

function toolResults({ type, message }: WireObject): readonly WireObject[] {
  if (type !== 'user') return [];
  const { content } = message as WireObject;
  return Array.isArray(content) ? content.filter(({ type: kind }: WireObject) => kind === 'tool_result') : [];
}
