import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { mcpMessage, mcpTool } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { deferred } from '../../src/wire/util/deferred.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { emulatedStarts } from '../support/emulated-starts.js';
import { RpcServer } from '../support/rpc-server.js';
import { testedVersions } from '../support/tested-versions.js';

const now = tool({
  name: 'now',
  description: 'Tells the time',
  input: z.object({ city: z.string() }),
  run: ({ city }) => `noon in ${city}`,
});

/** A session on an emulated CLI, with its diagnostics. */
async function opened(scenario: Scenario, version: string, options: SessionOptions) {
  const { sessionId } = options;
  const cli = emulateCli(scenario, { version, ...(sessionId === undefined ? {} : { sessionId }) });
  const told: Diagnostic[] = [];
  const session = await openSession({
    transport: cli.transport,
    onDiagnostic: (diagnostic) => told.push(diagnostic),
    ...options,
  });
  return { cli, session, told };
}

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

describe.each(testedVersions)('in-process tools on %s', (version) => {
  test('are called by name with validated arguments', async () => {
    const { cli, session } = await opened(
      [onUser([mcpTool('clock', 'now', { city: 'Rome' }, { expect: text('noon in Rome') }), say('done')])],
      version,
      { mcpServers: { clock: mcpServer('clock', [now]) } },
    );
    const tools: unknown[] = [];
    const turn = session.send('what time is it');
    for await (const message of turn) if (message.subtype === 'init') tools.push(message.tools);
    expect((await turn.outcome).kind).toBe('success');
    expect(tools).toEqual([expect.arrayContaining(['mcp__clock__now'])]);
    expect(cli.received[0]).toMatchObject({ request: { subtype: 'initialize', sdkMcpServers: ['clock'] } });
    await session.close();
    cli.assertFinished();
  });

  test('that throw or get wrong arguments return tool errors, and the session continues', async () => {
    const broken = tool({ name: 'broken', description: 'Fails', run: () => Promise.reject(new Error('no')) });
    const { cli, session, told } = await opened(
      [
        onUser('one', [
          mcpTool('clock', 'broken', {}, { expect: { ...text('no'), isError: true } }),
          mcpTool('clock', 'now', { city: 5 }, { expect: { isError: true } }),
          mcpTool('clock', 'gone', {}, { expect: { error: { code: -32602 } } }),
          say('sorry'),
        ]),
        onUser('two', [
          mcpTool('clock', 'now', { city: 'Rome' }, { expect: text('noon in Rome') }),
          say('good'),
        ]),
      ],
      version,
      { mcpServers: { clock: mcpServer('clock', [now, broken]) } },
    );
    expect(await session.send('one').text()).toBe('sorry');
    expect(await session.send('two').text()).toBe('good');
    expect(told).toMatchObject([{ code: 'MCP_TOOL_FAILED', server: 'clock', tool: 'broken' }]);
    await session.close();
    cli.assertFinished();
  });

  /** A session whose first turn calls a tool that never returns; `begun` resolves to the signal of the call. */
  async function openedWithSlowTool() {
    const begun = deferred<AbortSignal>();
    const slow = tool({
      name: 'slow',
      description: 'Takes its time',
      run: (_input, { signal }) => {
        begun.resolve(signal);
        return new Promise(() => {});
      },
    });
    const { session } = await opened([onUser([mcpTool('s', 'slow'), say('never')])], version, {
      mcpServers: { s: mcpServer('s', [slow]) },
    });
    return { session, begun };
  }

  test('are aborted by an interrupt, and nothing stays open', async () => {
    const { session, begun } = await openedWithSlowTool();
    const turn = session.send('go');
    const signal = await begun.promise;
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    await session.interrupt();
    await aborted;
    expect((await turn.outcome).kind).toBe('interrupted');
    await session.settled();
    expect(session.waitingFor).toEqual([]);
    await session.close();
  });

  test('end with the session', async () => {
    const { session, begun } = await openedWithSlowTool();
    session.send('go');
    const signal = await begun.promise;
    await session.close();
    expect(signal.aborted).toBe(true);
  });

  test('of one set serve several sessions at once, each with its own context', async () => {
    const who = tool({ name: 'who', description: 'd', run: (_input, { session }) => String(session?.id) });
    const server = mcpServer('s', [who]);
    const ids = Array.from({ length: 5 }, (_, index) => `00000000-0000-4000-8000-00000000000${index}`);
    await Promise.all(
      ids.map(async (sessionId) => {
        const { cli, session } = await opened(
          [onUser([mcpTool('s', 'who', {}, { expect: text(sessionId) }), say('me')])],
          version,
          { mcpServers: { s: server }, sessionId },
        );
        expect(await session.send('who').text()).toBe('me');
        await session.close();
        cli.assertFinished();
      }),
    );
  });

  test('are listed with description and schema', async () => {
    const { session } = await opened([], version, { mcpServers: { clock: mcpServer('clock', [now]) } });
    expect(await session.mcp.tools('clock')).toMatchObject({
      count: 1,
      tools: [
        { name: 'now', serverName: 'clock', description: 'Tells the time', inputSchema: { type: 'object' } },
      ],
    });
    await session.close();
  });
});

describe.each(testedVersions)('a server object on %s', (version) => {
  test('of the MCP library works unchanged, in one session after another', async () => {
    const library = new McpServer({ name: 'library', version: '1.0.0' });
    library.registerTool('hi', { inputSchema: z.object({ n: z.number() }) }, ({ n }) => ({
      content: [{ type: 'text', text: `hi ${n}` }],
    }));
    for (const n of [1, 2]) {
      const { cli, session, told } = await opened(
        [onUser([mcpTool('lib', 'hi', { n }, { expect: text(`hi ${n}`) }), say('hi')])],
        version,
        { mcpServers: { lib: library } },
      );
      expect(await session.send('go').text()).toBe('hi');
      expect(told).toEqual([]);
      await session.close();
      cli.assertFinished();
    }
  });

  test('of the MCP library that already serves another session is refused by name, with a fix', async () => {
    const library = new McpServer({ name: 'library', version: '1.0.0' });
    const first = await opened([onUser([say('one')])], version, { mcpServers: { lib: library } });
    await first.session.send('go').text();
    const second = await opened([onUser([say('two')])], version, { mcpServers: { lib: library } });
    expect(await second.session.send('go').text()).toBe('two');
    expect(second.told[0]).toMatchObject({
      server: 'lib',
      message: /pass a function that creates a new one/,
    });
    await first.session.close();
    await second.session.close();
  });

  test('may send requests to the CLI while a call with the same id is open', async () => {
    const server = new RpcServer();
    const { cli, session } = await opened(
      [onUser([mcpTool('hand', 'now', {}, { expect: text('after the ping') }), say('done')])],
      version,
      { mcpServers: { hand: server } },
    );
    const turn = session.send('go');
    await expect.poll(() => server.requests('tools/call')).toHaveLength(1);
    const [call] = server.requests('tools/call');
    await server.send({ id: 2, method: 'ping' });
    await expect.poll(() => server.received.at(-1)).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
    await server.send({ id: 2, method: 'roots/list' });
    await expect.poll(() => server.received.at(-1)).toMatchObject({ id: 2, error: { code: -32601 } });
    await server.answer(call, text('after the ping'));
    expect(await turn.text()).toBe('done');
    await session.close();
    cli.assertFinished();
    expect(server.closed).toBe(true);
  });

  test('that hangs during setup is named, and the session continues without it', async () => {
    const { session, told } = await opened([onUser([say('without it')])], version, {
      mcpServers: { stuck: { connect: () => new Promise(() => {}) } },
      mcpSetupMs: 20,
    });
    expect(await session.send('go').text()).toBe('without it');
    expect(told).toMatchObject([
      { code: 'MCP_SERVER_FAILED', server: 'stuck', message: /"stuck" was not connected within 20 ms/ },
      { code: 'MCP_NOT_READY', servers: ['stuck'] },
    ]);
    await session.close();
  });

  test('that does not answer the handshake is named too', async () => {
    const { session, told } = await opened([onUser([say('without it')])], version, {
      mcpServers: { mute: new RpcServer({}) },
      mcpSetupMs: 20,
    });
    expect(await session.send('go').text()).toBe('without it');
    expect(told[0]).toMatchObject({ server: 'mute', message: /did not answer initialize within 20 ms/ });
    await session.close();
  });

  test('that is unknown gets an error answer', async () => {
    const unknown = { error: { code: -32000 } };
    const { cli, session } = await opened(
      [onUser([mcpMessage('nobody', { id: 7, method: 'tools/list' }, { expect: unknown }), say('well')])],
      version,
      { mcpServers: { clock: mcpServer('clock', [now]) } },
    );
    expect(await session.send('go').text()).toBe('well');
    await session.close();
    cli.assertFinished();
  });
});

test('a reopened session gets new servers', async () => {
  const made: RpcServer[] = [];
  const { transport, clis } = emulatedStarts(() => [onUser([say('here')])]);
  const session = await openSession({
    transport,
    mcpServers: {
      hand: () => {
        const server = new RpcServer();
        made.push(server);
        return server;
      },
    },
  });
  await session.send('one').text();
  clis[0]?.kill('SIGKILL');
  await expect.poll(() => session.state).toBe('ended');
  expect(made[0]?.closed).toBe(true);
  await session.reopen();
  await session.send('two').text();
  expect(made).toHaveLength(2);
  expect(made[1]?.requests('initialize')).toHaveLength(1);
  await session.close();
});
