import { describe, expect, test } from 'vitest';
import { emulateCli } from '../../../../../src/lab/testing/emulator/emulate-cli.js';
import { ScenarioError } from '../../../../../src/lab/testing/emulator/scenario/failures.js';
import { onRequest, onUser } from '../../../../../src/lab/testing/emulator/scenario/scenario.js';
import { answer } from '../../../../../src/lab/testing/emulator/steps/answer-steps.js';
import { say } from '../../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, useTool } from '../../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { EmulatedHost } from '../../../../support/emulated-host.js';

test.each([null, [], {}])('missing agents may be written as %j, as real CLIs accept it', async (agents) => {
  const { cli, host } = start([], '2.1.326');
  expect(await host.ask('initialize', { agents })).toMatchObject({ subtype: 'success' });
  await host.close();
  cli.assertFinished();
});

describe('a mistake of the host fails the scenario', () => {
  test('even if the CLI reports success: permission_mode on 2.0.73', async () => {
    const { cli, host } = start([], '2.0.73');
    expect(await host.ask('set_permission_mode', { permission_mode: 'plan' })).toMatchObject({
      subtype: 'success',
    });
    await host.close();
    expect(rows(cli)).toEqual([
      {
        step: 'the request set_permission_mode',
        expected: 'a request as in the catalog',
        got: 'request.mode: missing, request.permission_mode: unknown-key',
      },
    ]);
  });

  test('with a table in the message: step, expected, got', async () => {
    const { cli, host } = start([onUser('hello', [])], '2.1.326');
    await host.user('something else');
    await host.next('result/success');
    await host.close();
    const message = thrown(cli).message.split('\n');
    expect(message[0]).toBe('In the emulated CLI 2 things went wrong:');
    expect(message[1]).toMatch(/^ {2}step {3}expected +got$/);
    expect(message[2]).toMatch(/^ {2}cue 1 {2}a user message with "hello" {2}user: something else$/);
    expect(message[3]).toMatch(/^ {2}cue 1 {2}a user message with "hello" {2}nothing: it never came$/);
    expect(thrown(cli).code).toBe('EMULATOR_SCENARIO_FAILED');
  });

  test.each([
    ['a request that no catalog knows', '2.1.326', 'mcp_tool', {}, 'request.subtype: unknown'],
    ['a request that this version does not serve', '2.1.17', 'get_settings', {}, '2.1.17 does not serve it'],
    [
      'a dry run on 2.0.73',
      '2.0.73',
      'rewind_files',
      { user_message_id: 'x', dry_run: true },
      'dry_run: this version ignores it',
    ],
    [
      'in-process servers added on 2.0.73',
      '2.0.73',
      'mcp_set_servers',
      { servers: { x: { type: 'sdk', name: 'x' } } },
      'servers: this version cannot',
    ],
    [
      'a list as system prompt on 2.1.17',
      '2.1.17',
      'initialize',
      { systemPrompt: ['x'] },
      'systemPrompt: a list is ignored',
    ],
    ['servers left out', '2.1.17', 'mcp_set_servers', {}, 'request.servers: missing'],
  ] as const)('%s', async (_, version, subtype, fields, got) => {
    const { cli, host } = start([], version);
    await host.request(subtype, fields);
    await host.close();
    expect(rows(cli)).toMatchObject([{ step: `the request ${subtype}`, got: expect.stringContaining(got) }]);
  });

  test.each([
    ['an allow without updatedInput on 2.0.73', '2.0.73', { behavior: 'allow' }, 'updatedInput: missing'],
    ['a deny without a message', '2.1.326', { behavior: 'deny' }, 'response.response.message: missing'],
    [
      'a behavior that does not exist',
      '2.1.326',
      { behavior: 'maybe' },
      'response.response.behavior: wrong-value',
    ],
  ] as const)('%s', async (_, version, reply, got) => {
    const { cli, host } = start([onUser([useTool('Bash', { command: 'ls' }, { ask: true })])], version);
    host.onRequest(() => reply);
    await host.user('go');
    await host.next('result/success');
    await host.close();
    expect(rows(cli)).toMatchObject([
      { step: 'the answer to can_use_tool', got: expect.stringContaining(got) },
    ]);
  });

  test('an answered question that leaves out the questions', async () => {
    const { cli, host } = start([onUser([askQuestion('Well?')])], '2.1.17');
    host.onRequest(() => ({ behavior: 'allow', updatedInput: { answers: { 'Well?': 'Yes' } } }));
    await host.user('go');
    await host.next('result/success');
    expect(rows(cli)).toMatchObject([{ got: expect.stringContaining('updatedInput.questions: missing') }]);
    await host.close();
  });

  test('two answers to one request, and an answer without a request', async () => {
    const { cli, host } = start([onUser([useTool('Bash', { command: 'ls' }, { ask: true })])], '2.1.326');
    await host.user('go');
    const prompt = await host.next('ask can_use_tool');
    const allow = { behavior: 'allow', updatedInput: {} };
    await host.answer(prompt, allow);
    await host.answer(prompt, allow);
    await host.answer({ request_id: 'nobody' }, allow);
    await host.next('result/success');
    await host.close();
    expect(rows(cli)).toEqual([
      { step: 'the answer to can_use_tool', expected: 'one answer', got: 'another one' },
      { step: 'an answer', expected: 'the id of a request that was asked', got: 'nobody' },
    ]);
  });

  test('a line that ends the process, or is ignored, by version', async () => {
    for (const [version, fate] of [
      ['2.0.73', 'ends on it'],
      ['2.1.326', 'ignores it'],
    ] as const) {
      const { cli, host } = start([], version);
      await host.send({ type: 'control_cancel_request', request_id: 'x' });
      await host.close();
      expect(rows(cli)).toMatchObject([{ got: expect.stringContaining(`cancel (it ${fate})`) }]);
    }
  });

  test('a user message with keys that the catalog does not know', async () => {
    const { cli, host } = start([onUser([])], '2.1.326');
    await host.user('hello', { nonsense: 1 });
    await host.next('result/success');
    await host.close();
    expect(rows(cli)).toMatchObject([{ step: 'a user message', got: 'nonsense: unknown-key' }]);
  });
});

describe('no failure', () => {
  test('is a request that the scenario waits for, known or not', async () => {
    const { cli, host } = start([onRequest('from_the_future', [answer({ fine: true })])], '2.0.73');
    expect(await host.ask('from_the_future', { any: 'thing' })).toMatchObject({ response: { fine: true } });
    await host.close();
    cli.assertFinished();
  });

  test('is reported if strictness is off', async () => {
    const cli = emulateCli([], { strict: false });
    const host = new EmulatedHost(cli);
    await host.ask('nonsense');
    await host.close();
    cli.assertFinished();
  });
});

describe('an expectation of the scenario', () => {
  test('about an answer is compared key by key', async () => {
    const steps = [
      useTool('Bash', { command: 'ls' }, { ask: true, expect: { behavior: 'deny' } }),
      say('over'),
    ];
    const { cli, host } = start([onUser(steps)], '2.1.326');
    host.onRequest(() => ({ behavior: 'allow', updatedInput: { command: 'ls' } }));
    await host.user('go');
    await host.next('result/success');
    await host.close();
    expect(rows(cli)).toEqual([
      {
        step: 'cue 1, step 1: permission for Bash',
        expected: '{"behavior":"deny"}',
        got: '{"behavior":"allow","updatedInput":{"command":"ls"}}',
      },
    ]);
  });

  test('that was not met is left over', async () => {
    const { cli, host } = start([onRequest('set_model', []), onUser('never', [])], '2.1.326');
    await host.close();
    expect(rows(cli).map(({ expected }) => expected)).toEqual([
      'a user message with "never"',
      'the request set_model',
    ]);
  });

  test('an additional message is answered with an error, not with silence', async () => {
    const { cli, host } = start([], '2.1.326');
    await host.user('hello');
    expect(await host.next('result/success')).toMatchObject({ is_error: true });
    await host.close();
    expect(rows(cli)).toEqual([{ step: 'the end', expected: 'no further user message', got: 'user: hello' }]);
  });
});

function start(scenario: Parameters<typeof emulateCli>[0], version: string) {
  const cli = emulateCli(scenario, { version });
  return { cli, host: new EmulatedHost(cli) };
}

function thrown(cli: ReturnType<typeof emulateCli>): ScenarioError {
  try {
    cli.assertFinished();
  } catch (error) {
    if (error instanceof ScenarioError) return error;
  }
  throw new Error('the scenario should have failed');
}

function rows(cli: ReturnType<typeof emulateCli>) {
  return thrown(cli).failures;
}
