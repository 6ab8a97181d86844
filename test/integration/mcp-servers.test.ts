import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { mcpServer } from '../../src/host/mcp/mcp-server.js';
import { tool } from '../../src/host/mcp/tool.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onRequest, onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { answer } from '../../src/lab/testing/emulator/steps/answer-steps.js';
import { mcpTool } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { die, hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../src/lab/testing/emulator/steps/step-types.js';
import { isObject } from '../../src/wire/protocol/frames.js';
import { emulatedStarts } from '../support/emulated-starts.js';

const server = (name: string) =>
  mcpServer(name, [tool({ name: 'hello', description: 'd', run: () => `from ${name}` })]);
const files = { command: 'node', args: ['files.mjs'] };
const text = (value: string) => ({ content: [{ type: 'text', text: value }] });

async function opened(scenario: Scenario, version: string, options: SessionOptions = {}) {
  const cli = emulateCli(scenario, { version });
  const session = await openSession({ transport: cli.transport, ...options });
  const names = async () => {
    const { mcpServers } = await session.mcp.status();
    return mcpServers.map(({ name, status }) => `${name} ${status}`);
  };
  return { cli, session, names };
}

describe.each(['2.1.17', '2.1.326'] as const)('servers at run time on %s', (version) => {
  test('are added, set and removed, and those the session was opened with stay', async () => {
    const { cli, session, names } = await opened(
      [
        onUser('first', [mcpTool('given', 'hello', {}, { expect: text('from given') }), say('ok')]),
        onUser('then', [
          mcpTool('given', 'hello', {}, { expect: text('from given') }),
          mcpTool('extra', 'hello', {}, { expect: text('from extra') }),
          say('ok'),
        ]),
      ],
      version,
      { mcpServers: { given: server('given') } },
    );
    await session.send('first').text();
    expect(await session.mcp.add({ extra: server('extra'), files })).toEqual({
      added: ['extra', 'files'],
      removed: [],
      errors: {},
    });
    expect(await names()).toEqual(['given connected', 'extra connected', 'files connected']);
    await session.send('then').text();
    expect(await session.mcp.set({ extra: server('extra') })).toMatchObject({
      added: ['extra'],
      removed: ['files'],
    });
    expect(await session.mcp.remove('extra')).toEqual({ added: [], removed: ['extra'], errors: {} });
    expect(await names()).toEqual(['given connected']);
    expect(await session.mcp.remove('given')).toEqual({ added: [], removed: ['given'], errors: {} });
    expect(await names()).toEqual([]);
    await session.close();
    cli.assertFinished();
  });

  test('that fail do not count as added', async () => {
    const { session } = await opened([], version);
    const bad = { command: '/no/such/server' };
    const { added, errors } = await session.mcp.add({ bad, files });
    expect(added).toEqual(['files']);
    expect(errors).toEqual({ bad: expect.any(String) });
    await session.close();
  });
});

test('2.0.73 refuses in-process servers at run time before anything is sent, and accepts others', async () => {
  const { cli, session, names } = await opened([], '2.0.73', { mcpServers: { given: server('given') } });
  await expect(session.mcp.add({ extra: server('extra') })).rejects.toMatchObject({
    code: 'ENDPOINT_UNSUPPORTED',
  });
  await expect(session.mcp.remove('given')).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
  expect(cli.received).toHaveLength(1);
  expect(await session.mcp.add({ files })).toEqual({ added: ['files'], removed: [], errors: {} });
  expect(await names()).toEqual(['files connected', 'given pending']);
  await session.close();
});

test('added servers are set again when the session is reopened', async () => {
  const { transport } = emulatedStarts(() => [onUser([say('here')])]);
  const session = await openSession({
    transport,
    mcpServers: { given: server('given') },
  });
  await session.mcp.add({ extra: server('extra'), files });
  await session.mcp.remove('given');
  await session.close();
  await session.reopen();
  await session.send('hello').text();
  const { mcpServers } = await session.mcp.status();
  expect(mcpServers.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'extra connected',
    'files connected',
  ]);
  await session.close();
});

describe('waiting for servers', () => {
  const status = (...rows: readonly (readonly [string, string])[]) =>
    answer({ mcpServers: rows.map(([name, state]) => ({ name, status: state })) });

  test('opens once they are connected', async () => {
    const { session } = await opened([], '2.1.326', {
      mcpServers: { given: server('given') },
      waitForServers: ['given'],
    });
    expect(session.state).toBe('ready');
    await session.close();
  });

  test('fails to open with the names of those that are not, and leaves nothing running', async () => {
    const cli = emulateCli([onRequest('mcp_status', [status(['a', 'connected'], ['b', 'failed'])])]);
    const opening = openSession({ transport: cli.transport, waitForServers: ['a', 'b'] });
    await expect(opening).rejects.toMatchObject({
      name: 'OpenError',
      code: 'MCP_NOT_READY',
      message: expect.stringContaining('"b" (failed)'),
      mcpServersPending: ['b'],
    });
    await cli.transport.ended;
  });

  test('fails after its time limit', async () => {
    const cli = emulateCli([]);
    const waitForServers = { names: ['never'], timeoutMs: 30 };
    await expect(openSession({ transport: cli.transport, waitForServers })).rejects.toMatchObject({
      code: 'MCP_NOT_READY',
      message: expect.stringContaining('"never" (not listed by the CLI yet)'),
    });
  });
});

test.each([
  [{ mcpServers: { bad: 5 } }, /mcpServers\.bad: must be/],
  [{ waitForServers: 'clock' }, /"waitForServers" must be/],
  [{ waitForServers: { names: 'clock' } }, /waitForServers\.names: must be/],
  [{ mcpSetupMs: 0 }, /"mcpSetupMs" must be/],
])('wrong options are refused before anything starts: %j', async (options, problem) => {
  await expect(openSession(options as never)).rejects.toThrow(problem);
});

test.each(['2.0.73', '2.1.17'] as const)(
  'process servers are set on %s right after the handshake',
  async (version) => {
    const { cli, session, names } = await opened([], version, { mcpServers: { files } });
    const subtypes = () => cli.received.map(({ request }) => isObject(request) && request.subtype);
    expect(subtypes()).toEqual(['initialize', 'mcp_set_servers']);
    expect(await names()).toEqual(['files connected']);
    expect(await session.mcp.disable('files')).toMatchObject({ status: 'disabled' });
    expect(await session.mcp.set({ more: files })).toMatchObject({ added: ['more'] });
    expect(await names()).toEqual(['more connected', 'files disabled']);
    expect(await session.mcp.enable('files')).toMatchObject({ status: 'connected' });
    expect(await session.mcp.remove('files')).toMatchObject({ removed: ['files'] });
    expect(await names()).toEqual(['more connected']);
    await session.close();
  },
);

test('process servers are not set over the wire if they are on the command line', async () => {
  const { cli, session } = await opened([], '2.0.73', { mcpServers: { files }, serversAtLaunch: true });
  expect(cli.received).toHaveLength(1);
  await session.close();
});

describe('opening an old CLI', () => {
  const opening = (step: Step, options: SessionOptions = {}) => {
    const cli = emulateCli([onRequest('mcp_set_servers', [step])], { version: '2.0.73' });
    return { cli, session: openSession({ transport: cli.transport, mcpServers: { files }, ...options }) };
  };

  test('fails with the cause if it dies while its servers are being set', async () => {
    const { cli, session } = opening(die({ code: 7, stderr: 'out of memory' }));
    await expect(session).rejects.toMatchObject({ code: 'CLI_ENDED', message: /out of memory/ });
    await cli.transport.ended;
  });

  test('fails in time if setting its servers hangs, names the servers, and leaves nothing running', async () => {
    const { cli, session } = opening(hang(), { handshakeMs: 200 });
    await expect(session).rejects.toMatchObject({ code: 'MCP_NOT_READY', mcpServersPending: ['files'] });
    await cli.transport.ended;
  });
});
