import { describe, expect, test } from 'vitest';
import { type EmulateOptions, emulateCli } from '../../../../../src/lab/testing/emulator/emulate-cli.js';
import {
  onRequest,
  onStart,
  onUser,
  type Scenario,
} from '../../../../../src/lab/testing/emulator/scenario/scenario.js';
import {
  deaf,
  flood,
  halfLine,
  hugeLine,
  ignoreSigterm,
  noise,
  raw,
  slowDrip,
  splitUtf8,
} from '../../../../../src/lab/testing/emulator/steps/fault-steps.js';
import { act, die, hang, wait } from '../../../../../src/lab/testing/emulator/steps/life-steps.js';
import { say, send } from '../../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { EmulatedHost } from '../../../../support/emulated-host.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { settle } from '../../../../support/settle.js';

describe('output', () => {
  test('noise arrives unchanged, between the messages', async () => {
    const { host } = start([onUser([noise(), raw('{"type":"from_the_future","n":1}'), say('still here')])]);
    await host.user('go');
    await host.next('result/success');
    expect(host.noise).toEqual(['Debugger attached.']);
    expect(host.labels).toContain('from_the_future');
    await host.close();
  });

  test('half a line is the last output before it dies', async () => {
    const { cli, host } = start([onUser([halfLine('{"type":"assis'), die({ code: 7, stderr: 'oh no\n' })])]);
    await host.user('go');
    expect(await cli.transport.ended).toEqual({
      reason: 'exited',
      code: 7,
      signal: null,
      stderrTail: 'oh no\n',
    });
    expect(host.noise).toEqual(['{"type":"assis']);
  });

  test('a flood waits for a host that does not read', async () => {
    const { cli, host } = start([onUser([say('here it comes'), flood(500, 1_000)])]);
    await host.user('go');
    await host.next('assistant');
    cli.transport.pause();
    await settle();
    const before = host.frames.length;
    await settle();
    expect(host.frames.length).toBe(before);
    expect(before).toBeLessThan(400);
    cli.transport.resume();
    await host.next('result/success');
    expect(host.labels.filter((label) => label === 'system/flood')).toHaveLength(500);
    await host.close();
  });

  test('a huge line arrives whole', async () => {
    const { host } = start([onUser([hugeLine(3_000_000)])]);
    await host.user('go');
    const message = await host.next('system/huge_line');
    expect(String(message.padding)).toHaveLength(3_000_000);
    await host.close();
  });

  test('split characters and a slow drip lose nothing', async () => {
    const { host } = start([
      onUser([splitUtf8(), slowDrip({ bytes: 300, ms: 0 }), send({ type: 'x', text: 'ü€😀' })]),
    ]);
    await host.user('go');
    expect(await host.next('system/split_utf8')).toMatchObject({ text: 'ü€😀 \u2028 end' });
    expect(await host.next('x')).toMatchObject({ text: 'ü€😀' });
    await host.next('result/success');
    await host.close();
  });
});

describe('lifecycle', () => {
  test('a hanging handshake is never answered, but other requests are', async () => {
    const { host } = start([onRequest('initialize', [hang()])]);
    await host.request('initialize');
    await host.ask('mcp_status');
    expect(host.labels).toEqual(['success host-2']);
    expect(await host.close()).toMatchObject({ code: 0 });
  });

  test('a hanging turn outlives the end of input and ends on SIGTERM', async () => {
    const { host } = start([onUser([hang()])], { closeWaitMs: 5 });
    await host.user('go');
    await host.next('system/init');
    expect(await host.close()).toMatchObject({ code: 143, signal: null });
  });

  test('one that ignores SIGTERM ends on SIGKILL', async () => {
    const { host } = start([onUser([ignoreSigterm(), hang()])], { closeWaitMs: 5 });
    await host.user('go');
    await host.next('system/init');
    expect(await host.close()).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  test('dies from a signal before a line was read', async () => {
    const { cli } = start([onStart([die({ signal: 'SIGSEGV' })])]);
    expect(await cli.transport.ended).toMatchObject({ code: null, signal: 'SIGSEGV' });
  });

  test('dies in the middle of an answer to a request', async () => {
    const { cli, host } = start([onRequest('set_model', [die({ code: 2 })])]);
    await host.request('set_model', { model: 'opus' });
    expect(await cli.transport.ended).toMatchObject({ code: 2 });
    cli.assertFinished();
  });

  test('a deaf CLI accepts nothing more, and the host’s memory is bounded', async () => {
    const { cli, host } = start([onUser([deaf(), say('la la la'), hang()])], { closeWaitMs: 5 });
    await host.user('go');
    await host.next('assistant');
    const before = cli.lines.length;
    const megabyte = JSON.stringify({
      type: 'user',
      message: { role: 'user', content: 'x'.repeat(1_000_000) },
    });
    const sends = Array.from({ length: 80 }, () =>
      cli.transport.send(megabyte).then(
        () => 'sent',
        (error) => error.code,
      ),
    );
    await host.close();
    expect(await Promise.all(sends)).toContain('SEND_OVERFLOW');
    expect(cli.lines.length).toBe(before);
  });

  test('waits by the given clock', async () => {
    const clock = new ManualClock();
    const { cli, host } = start([onUser([wait(60_000), say('at last')])], { clock });
    await host.user('go');
    await host.next('system/init');
    await host.ask('mcp_status');
    expect(host.labels).not.toContain('assistant');
    clock.advance(60_000);
    await host.next('result/success');
    void host.close();
    await cli.transport.ended;
  });

  test('a step that throws fails the scenario and ends the turn', async () => {
    const boom = act(() => {
      throw new Error('boom');
    });
    const { cli, host } = start([onUser([boom])]);
    await host.user('go');
    await host.next('result/error_during_execution');
    await host.close();
    expect(() => cli.assertFinished()).toThrow(/boom/);
  });
});

function start(scenario: Scenario, options: EmulateOptions = {}) {
  const cli = emulateCli(scenario, options);
  return { cli, host: new EmulatedHost(cli) };
}
