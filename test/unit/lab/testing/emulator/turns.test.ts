import { describe, expect, test } from 'vitest';
import { emulateCli } from '../../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../../../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../../../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { EmulatedHost } from '../../../../support/emulated-host.js';

describe.each(['2.0.73', '2.1.17', '2.1.326'] as const)('a turn on %s', (version) => {
  test('starts with system/init, sends text, and ends with one result', async () => {
    const cli = emulateCli([onUser('hello', [say('Hi there')])], { version });
    const host = new EmulatedHost(cli);
    await host.user('hello world');
    const result = await host.next('result/success');
    expect(host.labels).toEqual(['system/init', 'assistant', 'result/success']);
    expect(result).toMatchObject({
      result: 'Hi there',
      is_error: false,
      num_turns: 1,
      session_id: cli.sessionId,
    });
    expect(await host.close()).toMatchObject({ reason: 'exited', code: 0, signal: null });
    cli.assertFinished();
  });

  test('asks for permission, runs the changed input, and ends', async () => {
    const cli = emulateCli(
      [
        onUser([
          useTool('Bash', { command: 'ls' }, { ask: true, result: (input) => `ran ${input.command}` }),
          done('ok'),
        ]),
      ],
      { version },
    );
    const host = new EmulatedHost(cli);
    host.onRequest(() => ({ behavior: 'allow', updatedInput: { command: 'pwd' } }));
    await host.user('go');
    await host.next('result/success');
    const result = host.frames.find(({ type }) => type === 'user');
    expect(result).toMatchObject({ message: { content: [{ type: 'tool_result', content: 'ran pwd' }] } });
    await host.close();
  });

  test('is interrupted during a prompt: cancel, reply, tool result, note, result', async () => {
    const cli = emulateCli(
      [onUser([useTool('Bash', { command: 'ls' }, { ask: true })]), onUser('more', [say('fine')])],
      {
        version,
      },
    );
    const host = new EmulatedHost(cli);
    await host.user('go');
    await host.next('ask can_use_tool');
    const before = host.frames.length;
    await host.request('interrupt');
    const result = await host.next('result/error_during_execution');
    expect(host.labels.slice(before)).toEqual([
      'control_cancel_request',
      'success host-1',
      'user',
      'user',
      'result/error_during_execution',
    ]);
    expect(result.is_error).toBe(version === '2.1.326');
    await host.user('more');
    await host.next('result/success');
    await host.close();
    cli.assertFinished();
  });

  test('queues messages sent during a turn', async () => {
    const cli = emulateCli(
      [
        onUser('one', [hang()]),
        onUser('two', [say('second'), done()]),
        onUser('three', [say('third'), done()]),
      ],
      { version },
    );
    const host = new EmulatedHost(cli);
    await host.user('one');
    await host.next('system/init');
    await host.user('two');
    await host.user('three');
    await host.request('interrupt');
    await host.next('result/error_during_execution');
    const results = version === '2.1.326' ? 1 : 2;
    for (let count = 0; count < results; count += 1) await host.next('result/success');
    await host.close();
    expect(host.labels.filter((label) => label === 'result/success')).toHaveLength(results);
    cli.assertFinished();
  });
});
