import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { type EmulateOptions, emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onRequest, onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { answer, refuse } from '../../src/lab/testing/emulator/steps/answer-steps.js';
import { askHost } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { die, hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { emulatedStarts } from '../support/emulated-starts.js';
import { testedVersions } from '../support/tested-versions.js';

async function open(scenario: Scenario, options: SessionOptions = {}, emulation: EmulateOptions = {}) {
  const cli = emulateCli(scenario, emulation);
  const session = await openSession({ transport: cli.transport, ...options });
  return { cli, session };
}

describe('control', () => {
  test.each(testedVersions)(
    'settles with the first answer of %s, and reports the second',
    async (version) => {
      const diagnostics: Diagnostic[] = [];
      const { session } = await open(
        [],
        { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) },
        { version },
      );
      await using _owned = session;
      expect(await session.control('set_permission_mode', { mode: 'plan' })).toEqual({ mode: 'plan' });
      await session.control('mcp_status');
      expect(diagnostics.map(({ code }) => code)).toEqual(version === '2.1.326' ? [] : ['LATE_ANSWER']);
    },
  );

  test("an error carries the CLI's own message and code", async () => {
    const { session } = await open([onRequest('set_model', [refuse('no such model', 'bad_model')])]);
    await using _owned = session;
    await expect(session.control('set_model', { model: 'x' })).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      reason: 'no such model',
      errorCode: 'bad_model',
    });
  });

  test('times out at the deadline of the call or the session, or when aborted', async () => {
    const { session } = await open([onRequest('mcp_status', [hang()], { times: 'any' })], { deadlineMs: 30 });
    await using _owned = session;
    await expect(session.control('mcp_status', {}, { deadlineMs: 10 })).rejects.toMatchObject({
      message: /within 10 ms/,
    });
    await expect(session.control('mcp_status')).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
      message: /within 30 ms/,
    });
    const controller = new AbortController();
    const call = session.control('mcp_status', {}, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
  });

  test('pending requests can be read at any time', async () => {
    const { session } = await open([onRequest('mcp_status', [hang()])]);
    const call = session.control('mcp_status');
    const fails = expect(call).rejects.toMatchObject({ code: 'SESSION_ENDED' });
    await null;
    expect(session.waitingFor).toEqual(['mcp_status']);
    await session.close();
    await fails;
    expect(session.waitingFor).toEqual([]);
  });

  test('an unknown request of the CLI is answered with an error and reported; a handler can be set for it', async () => {
    const codes: string[] = [];
    const ask = { subtype: 'from_the_future', n: 1 };
    const { session, cli } = await open(
      [
        onUser('one', [askHost(ask), say('x')]),
        onUser('two', [askHost(ask, { expect: { ok: 1 } }), say('y')]),
      ],
      { onDiagnostic: ({ code }) => codes.push(code) },
    );
    await using _owned = session;
    await session.send('one').outcome;
    expect(codes).toEqual(['UNHANDLED_REQUEST']);
    session.handleOther('from_the_future', ({ n }) => ({ ok: n }));
    await session.send('two').outcome;
    cli.assertFinished();
  });

  test('refuses requests that the CLI would never answer', async () => {
    const { session, cli } = await open([], {}, { version: '2.1.17' });
    await using _owned = session;
    await expect(session.control('get_context_usage')).rejects.toMatchObject({
      code: 'ENDPOINT_UNSUPPORTED',
    });
    expect(cli.received).toHaveLength(1);
  });

  test('sends an unknown request, and returns whatever arrives', async () => {
    const { session } = await open([onRequest('from_the_future', [answer({ deep: [1] })])]);
    await using _owned = session;
    expect(await session.control('from_the_future', { a: 1 })).toEqual({ deep: [1] });
  });
});

describe('closing', () => {
  test('is idempotent, settles turns as closed, and works with await using', async () => {
    const { session, cli } = await open([onUser([hang()])], {}, { closeWaitMs: 10 });
    const turn = session.send('go');
    await turn.began;
    await Promise.all([session.close(), session.close()]);
    expect((await turn.outcome).kind).toBe('closed');
    await session.close();
    expect((await cli.transport.ended).reason).toBeDefined();
    await expect(session.control('mcp_status')).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  });

  test('lets a turn that is ending finish: the result still counts', async () => {
    const { session } = await open([onUser([say('almost')])]);
    const turn = session.send('go');
    await turn.began;
    await session.close();
    expect(await turn.outcome).toMatchObject({ kind: 'success', text: 'almost' });
  });

  test('aborts the callback of an open prompt, and sends no answer', async () => {
    let aborted = false;
    const { session, cli } = await open(
      [onUser([useTool('Bash', {}, { ask: true, result: 'x' })])],
      {
        onPermission: (request) =>
          new Promise((resolve) => {
            request.signal.addEventListener('abort', () => {
              aborted = true;
              resolve(request.allow());
            });
          }),
      },
      { closeWaitMs: 10 },
    );
    const turn = session.send('go');
    for await (const message of turn) if (message.type === 'assistant') break;
    await session.close();
    expect(aborted).toBe(true);
    expect(cli.received.some(({ type }) => type === 'control_response')).toBe(false);
  });
});

describe('reopening', () => {
  /** A session whose every start gets the next scenario. */
  async function openSeveral(scenarios: readonly Scenario[], options: SessionOptions = {}) {
    const { transport, clis } = emulatedStarts((before) => scenarios[before] ?? []);
    return { session: await openSession({ transport, ...options }), clis };
  }

  test('after the CLI died: new process, new handshake, same hooks and callbacks', async () => {
    const run = () => ({});
    const { session, clis } = await openSeveral(
      [
        [onUser('one', [die({ code: 1 })])],
        [onUser('two', [useTool('Bash', {}, { ask: true, result: 'ok' }), say('back')])],
      ],
      { hooks: { PreToolUse: [{ run }] }, onPermission: (request) => request.allow() },
    );
    await using _owned = session;
    expect((await session.send('one').outcome).kind).toBe('cli-ended');
    expect(() => session.send('two')).toThrow(expect.objectContaining({ code: 'SESSION_ENDED' }));
    await session.reopen();
    expect(session.state).toBe('ready');
    expect(await session.send('two').text()).toBe('back');
    expect(clis.map(({ received }) => received[0])).toMatchObject([
      { request: { subtype: 'initialize', hooks: { PreToolUse: [{ hookCallbackIds: ['hook_0'] }] } } },
      { request: { subtype: 'initialize', hooks: { PreToolUse: [{ hookCallbackIds: ['hook_0'] }] } } },
    ]);
  });

  test('automatically on the next send if configured; waiting messages are sent once', async () => {
    const { session, clis } = await openSeveral(
      [[onUser('one', [die({ code: 1 })])], [onUser('two', [say('back')])]],
      { reopen: 'auto' },
    );
    await using _owned = session;
    await session.send('one').outcome;
    expect(session.state).toBe('ended');
    const two = session.send('two');
    expect(await two.text()).toBe('back');
    expect(clis.map(({ received }) => received.filter(({ type }) => type === 'user').length)).toEqual([1, 1]);
  });

  test('costs continue across both CLIs', async () => {
    const { session } = await openSeveral([[onUser([say('a')]), onUser([die()])], [onUser([say('b')])]], {
      reopen: 'auto',
    });
    await using _owned = session;
    await session.send('1').outcome;
    const { costUsd } = session.usage;
    await session.send('2').outcome;
    await session.send('3').outcome;
    expect(session.usage.costUsd).toBeCloseTo(2 * costUsd);
  });

  test('a failed reopen settles waiting messages, and does not retry forever', async () => {
    const { session, clis } = await openSeveral(
      [[onUser([die()])], [onRequest('initialize', [die({ code: 2 })])]],
      { reopen: 'auto' },
    );
    await session.send('one').outcome;
    expect(await session.send('two').outcome).toMatchObject({
      kind: 'cli-ended',
      error: { code: 'HANDSHAKE_ENDED' },
    });
    expect(clis).toHaveLength(2);
    expect(session.state).toBe('ended');
  });

  test('a running session cannot be reopened', async () => {
    const { session } = await openSeveral([[]]);
    await using _owned = session;
    await expect(session.reopen()).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  });
});
