import { describe, expect, test } from 'vitest';
import { openSession, startSession } from '../../src/entry/sdk/open-session.js';
import type { SessionState } from '../../src/host/core/connection/state.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import {
  onRequest,
  onStart,
  onUser,
  type Scenario,
} from '../../src/lab/testing/emulator/scenario/scenario.js';
import { refuse } from '../../src/lab/testing/emulator/steps/answer-steps.js';
import { askHost } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { noise } from '../../src/lab/testing/emulator/steps/fault-steps.js';
import { die, hang, wait } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { testedVersions } from '../support/tested-versions.js';

function emulated(scenario: Scenario, options: SessionOptions = {}) {
  const cli = emulateCli(scenario);
  return { cli, options: { transport: cli.transport, ...options } };
}

describe('opening', () => {
  test.each(testedVersions)('completes the handshake with %s and keeps its answer', async (version) => {
    const cli = emulateCli([], { version });
    await using session = await openSession({ transport: cli.transport });
    expect(session.state).toBe('ready');
    expect(session.info).toHaveProperty('commands');
    expect(cli.received[0]).toMatchObject({ type: 'control_request', request: { subtype: 'initialize' } });
    // Omitting the system prompt keeps the CLI's own.
    expect(cli.received[0]).not.toHaveProperty('request.systemPrompt');
  });

  test('goes through its states, each reported once, and knows its id from the start', async () => {
    const { options } = emulated([]);
    const states: SessionState[] = [];
    const session = startSession({
      ...options,
      sessionId: '11111111-2222-4333-8444-555555555555',
      onStateChange: (state) => states.push(state),
    });
    expect(session.state).toBe('starting');
    expect(session.id).toBe('11111111-2222-4333-8444-555555555555');
    await session.ready;
    await session.close();
    expect(states).toEqual(['handshaking', 'ready', 'ending', 'ended']);
  });

  test('serves requests that the CLI makes before it answers initialize', async () => {
    const { options } = emulated(
      [onRequest('initialize', [askHost({ subtype: 'ui_copy', text: 'x' }, { expect: { copied: true } })])],
      { handlers: { ui_copy: () => ({ copied: true }) } },
    );
    await using session = await openSession(options);
    expect(session.state).toBe('ready');
  });

  test('sends agents, hooks and prompts in initialize', async () => {
    const { cli, options } = emulated([], {
      agents: { helper: { description: 'd', prompt: 'p' } },
      hooks: { PreToolUse: [{ matcher: 'Bash', run: () => ({}) }] },
      systemPrompt: 'be brief',
      mcpServers: { clock: { type: 'sdk', name: 'clock' } },
      handlers: { mcp_message: () => ({ mcp_response: {} }) },
    });
    await using _session = await openSession(options);
    expect(cli.received[0]).toMatchObject({
      request: {
        agents: { helper: { description: 'd', prompt: 'p' } },
        hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_0'] }] },
        systemPrompt: 'be brief',
        sdkMcpServers: ['clock'],
      },
    });
  });

  test('holds messages that are sent before it is ready, and sends them once', async () => {
    const { cli, options } = emulated([onRequest('initialize', [wait(5)]), onUser('early', [say('ok')])]);
    await using session = startSession(options);
    const turn = session.send('early');
    expect(turn.receipt).toBe('held');
    expect(await turn.text()).toBe('ok');
    expect(cli.received.filter(({ type }) => type === 'user')).toHaveLength(1);
    cli.assertFinished();
  });

  test('a control call before ready waits for the handshake', async () => {
    const { options } = emulated([onRequest('initialize', [wait(5)])]);
    await using session = startSession(options);
    expect(await session.control('mcp_status')).toEqual({ mcpServers: [] });
  });

  test('noise before the answer is reported and does no harm', async () => {
    const codes: string[] = [];
    const { options } = emulated([onStart([noise('npm warn something')])], {
      onDiagnostic: ({ code }) => codes.push(code),
    });
    await using session = await openSession(options);
    expect(session.state).toBe('ready');
    expect(codes).toEqual(['NOISE_LINE']);
  });
});

describe('a failed open', () => {
  const failed = async (scenario: Scenario, options: SessionOptions = {}) => {
    const { cli, options: all } = emulated(scenario, options);
    const session = startSession(all);
    const error = await session.ready.then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(session.state).toBe('ended');
    await cli.transport.ended;
    return { error, session };
  };

  test('with an error answer says so', async () => {
    const { error } = await failed([onRequest('initialize', [refuse('not today')])]);
    expect(error).toMatchObject({
      name: 'OpenError',
      code: 'HANDSHAKE_REFUSED',
      phase: 'handshaking',
      message: /not today/,
    });
  });

  test.each([0, 1, 7])('with exit code %i says so, with the contents of stderr', async (code) => {
    const { error } = await failed([onRequest('initialize', [die({ code, stderr: 'bad config' })])]);
    expect(error).toMatchObject({
      code: 'HANDSHAKE_ENDED',
      message: new RegExp(`exit code ${code}`),
      stderrTail: /bad config/,
    });
  });

  test.each([
    ['config_file_invalid', 'CONFIG_INVALID', /file/],
    ['sandbox_required_unavailable', 'MACHINE_UNFIT', /sandbox/],
    ['cwd_unavailable', 'CWD_INVALID', /folder/],
    ['reason_of_tomorrow', 'HANDSHAKE_ENDED', undefined],
    ['toString', 'HANDSHAKE_ENDED', undefined],
  ])('because of %s has the code %s and a hint', async (reason, code, hint) => {
    const result = { type: 'result', subtype: 'error_during_execution', is_error: true, errors: ['No.'] };
    const { error } = await failed([
      onRequest('initialize', [send({ ...result, startup_failure_reason: reason }), die({ code: 1 })]),
    ]);
    expect(error).toMatchObject({ code, startupFailure: reason, message: /No\./ });
    if (hint !== undefined) expect(error).toMatchObject({ hint });
  });

  test('after a silent CLI says so after the deadline, and names the MCP servers that were not set up', async () => {
    const { error } = await failed([onRequest('initialize', [hang()])], {
      handshakeMs: 20,
      mcpServers: { slow: { command: 'x' }, clock: { type: 'sdk', name: 'clock' } },
    });
    expect(error).toMatchObject({
      code: 'HANDSHAKE_TIMEOUT',
      message: /within 20 ms/,
      mcpServersPending: ['slow', 'clock'],
    });
  });

  test('of a program that is not a CLI shows what it printed', async () => {
    const { error } = await failed([onRequest('initialize', [noise('Welcome to cat!'), hang()])], {
      handshakeMs: 20,
    });
    expect(error).toMatchObject({
      code: 'HANDSHAKE_TIMEOUT',
      noise: ['Welcome to cat!'],
      hint: /is the Claude CLI/,
      message: /stdout: Welcome to cat!/,
    });
  });

  test('settles everything that waits for it: calls, turns and settled()', async () => {
    const { options } = emulated([onRequest('initialize', [refuse('no')])]);
    const session = startSession(options);
    const turn = session.send('hello');
    const [call, settled, outcome] = await Promise.allSettled([
      session.control('mcp_status'),
      session.settled(),
      turn.outcome,
    ]);
    expect(call).toMatchObject({ status: 'rejected', reason: { code: 'HANDSHAKE_REFUSED' } });
    expect(settled.status).toBe('fulfilled');
    expect(outcome).toMatchObject({ value: { kind: 'cli-ended', error: { code: 'HANDSHAKE_REFUSED' } } });
    expect(() => session.send('again')).toThrow(expect.objectContaining({ code: 'SESSION_ENDED' }));
    await expect(session.control('mcp_status')).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  });

  test('after an abort ends at once', async () => {
    const controller = new AbortController();
    const { options } = emulated([onRequest('initialize', [hang()])], { signal: controller.signal });
    const session = startSession(options);
    const failure = expect(session.ready).rejects.toMatchObject({
      code: 'SESSION_ENDED',
    });
    session.on('state', (state) => state === 'handshaking' && controller.abort());
    await failure;
    await session.close();
    expect(session.state).toBe('ended');
  });
});

describe('wrong options', () => {
  test.each<[string, object]>([
    ['model', { model: 7 }],
    ['modle', { modle: 'opus' }],
    ['onPermission', { onPermission: 'yes' }],
    ['hooks', { hooks: { NoSuchEvent: [] } }],
    ['hooks', { hooks: { Stop: [{ run: 'x' }] } }],
    ['agents', { agents: { a: { prompt: 'no description' } } }],
    ['deadlineMs', { deadlineMs: 0 }],
    ['transport', { transport: {} }],
    ['onMissing', { onMissing: 'fresh' }],
    ['continue', { continue: true, resume: 'x' }],
    ['signal', { signal: {} }],
  ])('%s is refused by name before anything starts', (option, options) => {
    expect(() => startSession(options as SessionOptions)).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', option }),
    );
  });
});
