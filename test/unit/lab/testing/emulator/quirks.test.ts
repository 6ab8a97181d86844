import { describe, expect, test } from 'vitest';
import { emulateCli } from '../../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario, unasked } from '../../../../../src/lab/testing/emulator/scenario/scenario.js';
import type { SessionStart } from '../../../../../src/lab/testing/emulator/session-state.js';
import { hang } from '../../../../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure } from '../../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { endTask, startTask } from '../../../../../src/lab/testing/emulator/steps/task-steps.js';
import { useTool } from '../../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { EmulatedHost } from '../../../../support/emulated-host.js';
import { testedVersions } from '../../../../support/tested-versions.js';

const old = ['2.0.73', '2.1.17'] as const;

describe('requests', () => {
  test.each(old)('%s never answers an unknown one, and answers the next', async (version) => {
    const { host } = start([], version);
    await host.request('nonsense');
    await host.ask('mcp_status');
    expect(host.labels).toEqual(['success host-2']);
    await host.close();
  });

  test('2.1.326 answers an unknown one with an error and a code', async () => {
    const { host } = start([], '2.1.326');
    expect(await host.ask('nonsense')).toEqual({
      subtype: 'error',
      request_id: 'host-1',
      error: 'Unsupported control request subtype: nonsense',
      error_code: 'unsupported_request',
    });
    await host.close();
  });

  test.each(testedVersions)('%s answers one without an id, without an id', async (version) => {
    const { host } = start([], version);
    await host.send({ type: 'control_request', request: { subtype: 'interrupt' } });
    const { response } = await host.next((frame) => frame.type === 'control_response');
    expect(response).not.toHaveProperty('request_id');
    await host.close();
  });

  test.each(old)('%s answers set_permission_mode twice, any mode', async (version) => {
    const { host } = start([], version);
    await host.request('set_permission_mode', { mode: 'whatever' });
    await host.ask('mcp_status');
    expect(host.frames.slice(0, 2).map(({ response }) => response)).toEqual([
      { subtype: 'success', request_id: 'host-1', response: { mode: 'whatever' } },
      { subtype: 'success', request_id: 'host-1' },
    ]);
    await host.close();
  });

  test.each(old)('%s refuses a disabled bypass, and then reports success', async (version) => {
    const { host } = start([], version, { bypassAllowed: false });
    await host.request('set_permission_mode', { mode: 'bypassPermissions' });
    await host.ask('mcp_status');
    expect(host.labels.slice(0, 2)).toEqual(['error host-1', 'success host-1']);
    await host.close();
  });

  test('2.1.326 checks the mode, answers once, and reports the new one', async () => {
    const { host } = start([], '2.1.326');
    expect(await host.ask('set_permission_mode', { mode: 'nope' })).toMatchObject({
      error_code: 'invalid_mode',
    });
    expect(await host.ask('set_permission_mode', { mode: 'bypassPermissions' })).toMatchObject({
      error_code: 'bypass_not_launched',
    });
    expect(await host.ask('set_permission_mode', { mode: 'plan' })).toMatchObject({
      response: { mode: 'plan' },
    });
    expect(await host.next('system/status')).toMatchObject({ permissionMode: 'plan' });
    await host.close();
  });

  test('set_model is an ack on old CLIs; 2.1.326 replays a line and resolves the name', async () => {
    for (const version of old) {
      const { host } = start([], version);
      expect(await host.ask('set_model', { model: 'opus' })).toEqual({
        subtype: 'success',
        request_id: 'host-1',
      });
      await host.close();
    }
    const { host } = start([], '2.1.326');
    expect(await host.ask('set_model', { model: 'sonnet' })).toMatchObject({
      response: { model: 'claude-sonnet-5-5' },
    });
    expect(host.frames[0]).toMatchObject({ type: 'user', isReplay: true });
    await host.close();
  });

  test('a second initialize ends 2.0.73, is refused by 2.1.17 and served by 2.1.326', async () => {
    const a = start([], '2.0.73');
    await a.host.ask('initialize');
    await a.host.request('initialize');
    expect(await a.cli.transport.ended).toMatchObject({ reason: 'exited', code: 1 });
    const b = start([], '2.1.17');
    await b.host.ask('initialize');
    expect(await b.host.ask('initialize')).toMatchObject({
      error: 'Already initialized',
      pending_permission_requests: [],
    });
    await b.host.close();
    const c = start([], '2.1.326');
    await c.host.ask('initialize');
    expect(await c.host.ask('initialize')).toMatchObject({ subtype: 'success' });
    await c.host.close();
  });

  test('initialize has five keys on old CLIs, and many more on 2.1.326', async () => {
    for (const version of testedVersions) {
      const { host } = start([], version);
      const { response, ...envelope } = await host.ask('initialize', { hooks: {} });
      const isNew = version === '2.1.326';
      expect(Object.keys(response as object)).toHaveLength(isNew ? 25 : 5);
      expect('pending_permission_requests' in envelope).toBe(isNew);
      await host.close();
    }
  });

  test('an open prompt is delivered again next to the answer to initialize', async () => {
    const { host } = start([onUser([useTool('Bash', { command: 'ls' }, { ask: true })])], '2.1.326');
    await host.user('go');
    const prompt = await host.next('ask can_use_tool');
    expect(await host.ask('initialize')).toMatchObject({ pending_permission_requests: [prompt] });
    await host.close();
  });

  test('broken hooks end 2.0.73 loudly, 2.1.17 silently with code 0, and are refused by 2.1.326', async () => {
    const hooks = { PreToolUse: [{}] };
    for (const [version, code] of [
      ['2.0.73', 1],
      ['2.1.17', 0],
    ] as const) {
      const { cli, host } = start([], version);
      await host.request('initialize', { hooks });
      expect(await cli.transport.ended).toMatchObject({
        code,
        stderrTail: code === 0 ? '' : expect.stringMatching(/./),
      });
    }
    const { host } = start([], '2.1.326');
    expect(await host.ask('initialize', { hooks })).toMatchObject({ subtype: 'error' });
    expect(await host.ask('mcp_status')).toMatchObject({ subtype: 'success' });
    await host.close();
  });

  test('mcp_set_servers without servers ends old CLIs and is refused by 2.1.326', async () => {
    for (const [version, code] of [
      ['2.0.73', 1],
      ['2.1.17', 0],
    ] as const) {
      const { cli, host } = start([], version);
      await host.request('mcp_set_servers');
      expect(await cli.transport.ended).toMatchObject({ code });
    }
    const { host } = start([], '2.1.326');
    expect(await host.ask('mcp_set_servers')).toMatchObject({ subtype: 'error' });
    await host.close();
  });

  test('rewind_files answers in the format of each version', async () => {
    const shapes = {
      '2.0.73': undefined,
      '2.1.17': { canRewind: true },
      '2.1.326': { canRewind: true, skippedLinks: 0 },
    };
    for (const version of testedVersions) {
      const { host } = start([onUser([])], version);
      await host.user('hello', { uuid: 'known' });
      await host.next('result/success');
      expect((await host.ask('rewind_files', { user_message_id: 'known' })).response).toEqual(
        shapes[version],
      );
      expect(await host.ask('rewind_files', { user_message_id: 'unknown' })).toMatchObject({
        subtype: 'error',
      });
      await host.close();
    }
  });
});

describe('turns', () => {
  test('2.1.326 reports the lifecycle of a message with a uuid, and which messages a turn answers', async () => {
    const { host } = start([onUser([hang()]), onUser('b', [say('B')]), onUser('c', [say('C')])], '2.1.326');
    await host.user('a', { uuid: 'a' });
    await host.next('system/init');
    await host.user('b', { uuid: 'b' });
    await host.user('c', { uuid: 'c' });
    expect(await host.ask('interrupt')).toMatchObject({ response: { still_queued: ['b', 'c'] } });
    const result = await host.next('result/success');
    await host.close();
    const life = host.frames.filter(({ type }) => type === 'command_lifecycle');
    expect(life.map(({ command_uuid: uuid, state }) => `${uuid} ${state}`)).toEqual([
      'a queued',
      'a started',
      'b queued',
      'c queued',
      'a cancelled',
      'b started',
      'c started',
      'b completed',
      'c completed',
    ]);
    expect(result).toMatchObject({ user_message_uuid: 'c', user_message_uuids: ['b', 'c'], result: 'C' });
  });

  test.each(testedVersions)('%s silently drops a repeated uuid', async (version) => {
    const { cli, host } = start([onUser([say('once')]), onUser('other', [])], version);
    await host.user('hello', { uuid: 'same' });
    await host.next('result/success');
    await host.user('hello again', { uuid: 'same' });
    await host.user('other');
    await host.next('result/success');
    await host.close();
    cli.assertFinished();
  });

  test('2.1.326 can cancel a queued message', async () => {
    const { cli, host } = start([onUser([hang()])], '2.1.326');
    await host.user('a', { uuid: 'a' });
    await host.next('system/init');
    await host.user('b', { uuid: 'b' });
    expect(await host.ask('cancel_async_message', { message_uuid: 'b' })).toMatchObject({
      response: { cancelled: true },
    });
    expect(await host.ask('interrupt', { cancel_queued: true })).toMatchObject({
      response: { still_queued: [], cancelled: [] },
    });
    await host.next('result/error_during_execution');
    await host.close();
    cli.assertFinished();
  });

  test.each(testedVersions)(
    '%s reports success with is_error when the API fails, and exits with 1',
    async (version) => {
      const { host } = start([onUser([apiFailure({ error: 'rate_limit', status: 429 })])], version);
      await host.user('hello', { uuid: 'x' });
      const result = await host.next('result/success');
      expect(result.is_error).toBe(true);
      expect(host.frames.find(({ type }) => type === 'assistant')).toMatchObject({
        message: { model: '<synthetic>' },
        error: version === '2.1.326' ? 'rate_limit' : 'unknown',
      });
      expect(await host.close()).toMatchObject({ code: 1 });
      const isNew = version === '2.1.326';
      expect(host.labels.includes('lifecycle cancelled')).toBe(isNew);
    },
  );

  test('2.1.326 starts a turn on its own when background work is done', async () => {
    const { cli, host } = start(
      [onUser([startTask('t1'), say('started'), endTask('t1')]), unasked([say('It is done.')])],
      '2.1.326',
    );
    await host.user('go', { uuid: 'go' });
    await host.next('result/success');
    const result = await host.next('result/success');
    expect(result).toMatchObject({ result: 'It is done.', origin: { kind: 'task-notification' } });
    expect(result).not.toHaveProperty('user_message_uuid');
    await host.close();
    cli.assertFinished();
  });

  test.each(old)('a scenario with an unasked turn is refused for %s', (version) => {
    expect(() => emulateCli([unasked([])], { version })).toThrow(/never starts a turn on its own/);
  });
});

describe('ends', () => {
  test.each(testedVersions)(
    '%s finishes its turn and runs waiting messages when the input ends',
    async (version) => {
      const { cli, host } = start(
        [onUser('a', [say('slow words', { delayMs: 5 })]), onUser('b', [say('last')])],
        version,
      );
      await host.user('a');
      await host.next('system/init');
      await host.user('b');
      expect(await host.close()).toMatchObject({ reason: 'exited', code: 0 });
      expect(host.labels.filter((label) => label === 'result/success')).toHaveLength(2);
      cli.assertFinished();
    },
  );

  test.each(testedVersions)('%s drops a prompt at the end of input without a cancel', async (version) => {
    const { host } = start(
      [onUser([useTool('Bash', { command: 'ls' }, { ask: true }), say('so be it')])],
      version,
    );
    await host.user('go');
    await host.next('ask can_use_tool');
    await host.close();
    expect(host.labels).not.toContain('control_cancel_request');
    expect(host.frames.find(({ type }) => type === 'user')).toMatchObject({
      message: { content: [{ content: expect.stringContaining('stream closed'), is_error: true }] },
    });
    expect(host.labels.at(-1)).toBe('result/success');
  });

  test('signals end with the exit code of the version', async () => {
    const codes = [
      ['2.0.73', 'SIGINT', { code: 0, signal: null }],
      ['2.0.73', 'SIGTERM', { code: 143, signal: null }],
      ['2.0.73', 'SIGHUP', { code: null, signal: 'SIGHUP' }],
      ['2.1.326', 'SIGHUP', { code: 129, signal: null }],
      ['2.1.326', 'SIGKILL', { code: null, signal: 'SIGKILL' }],
    ] as const;
    for (const [version, signal, end] of codes) {
      const { cli } = start([], version);
      cli.kill(signal);
      expect(await cli.transport.ended).toMatchObject(end);
    }
  });

  test('2.1.326 prints the result of a turn that SIGINT interrupts', async () => {
    const { cli, host } = start([onUser([hang()])], '2.1.326');
    await host.user('go');
    await host.next('system/init');
    cli.kill('SIGINT');
    expect(await cli.transport.ended).toMatchObject({ code: 0 });
    expect(host.labels.at(-1)).toBe('result/error_during_execution');
  });

  test('end_session ends 2.1.326 with 0 when idle and with 1 in a turn', async () => {
    const idle = start([], '2.1.326');
    await idle.host.ask('end_session');
    expect(await idle.cli.transport.ended).toMatchObject({ code: 0 });
    const busy = start([onUser([hang()])], '2.1.326');
    await busy.host.user('go');
    await busy.host.next('system/init');
    await busy.host.ask('end_session');
    expect(await busy.cli.transport.ended).toMatchObject({ code: 1 });
    expect(busy.host.labels.at(-1)).toBe('result/error_during_execution');
  });
});

function start(scenario: Scenario, version: string, options: SessionStart = {}) {
  const cli = emulateCli(scenario, { version, ...options });
  return { cli, host: new EmulatedHost(cli) };
}
