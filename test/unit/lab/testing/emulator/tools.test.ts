import { describe, expect, test } from 'vitest';
import { type EmulateOptions, emulateCli } from '../../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario } from '../../../../../src/lab/testing/emulator/scenario/scenario.js';
import { elicit, hook, mcpTool } from '../../../../../src/lab/testing/emulator/steps/asking-steps.js';
import { say } from '../../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { isObject, type WireObject } from '../../../../../src/wire/protocol/frames.js';
import { EmulatedHost } from '../../../../support/emulated-host.js';
import { inProcessServer } from '../../../../support/in-process-server.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { testedVersions } from '../../../../support/tested-versions.js';

const bash = useTool('Bash', { command: 'ls' }, { ask: true, result: ({ command }) => `ran ${command}` });

describe('permissions', () => {
  test.each([
    ['2.0.73', { behavior: 'allow' }, 'updatedInput is missing'],
    ['2.1.326', { behavior: 'allow' }, 'ran ls'],
    ['2.0.73', { behavior: 'allow', updatedInput: {} }, 'ran undefined'],
    ['2.1.326', { behavior: 'allow', updatedInput: {} }, 'ran ls'],
    ['2.1.17', { behavior: 'deny', message: 'no shell' }, 'no shell'],
    ['2.1.326', null, 'invalid'],
    [
      '2.0.73',
      { behavior: 'allow', updatedInput: {}, updatedPermissions: [{}] },
      'updatedPermissions has a bad entry',
    ],
    ['2.1.326', { behavior: 'allow', updatedInput: {}, updatedPermissions: [{}] }, 'ran ls'],
  ] as const)('%s takes %j as: %s', async (version, answer, text) => {
    const { host } = start([onUser([bash])], { version });
    host.onRequest(() => answer);
    await host.user('go');
    await host.next('result/success');
    expect(toolResults(host)[0]).toContain(text);
    await host.close();
  });

  test('a denial is listed in the result, and an interrupting one ends the turn', async () => {
    const { host } = start([onUser([bash, say('anyway')]), onUser([bash, say('never said')])]);
    host.onRequest(() => ({ behavior: 'deny', message: 'no' }));
    await host.user('one');
    expect(await host.next('result/success')).toMatchObject({
      result: 'anyway',
      permission_denials: [{ tool_name: 'Bash', tool_input: { command: 'ls' } }],
    });
    host.onRequest(() => ({ behavior: 'deny', message: 'no', interrupt: true }));
    await host.user('two');
    expect(await host.next('result/error_during_execution')).toMatchObject({
      terminal_reason: 'aborted_tools',
    });
    await host.close();
  });

  test('a rule or a mode in the answer prevents the next prompt', async () => {
    const { host } = start([onUser([bash, bash, useTool('Write', { file_path: 'a' }, { ask: true })])]);
    host.onRequest((body) => ({
      behavior: 'allow',
      updatedInput: body.input,
      updatedPermissions: [
        { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' },
        { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
      ],
    }));
    await host.user('go');
    await host.next('result/success');
    expect(host.labels.filter((label) => label === 'ask can_use_tool')).toHaveLength(1);
    await host.close();
  });

  test.each([
    ['bypassPermissions', 'ran ls'],
    ['dontAsk', 'denied'],
  ])('in mode %s there is no prompt', async (permissionMode, text) => {
    const { host } = start([onUser([bash])], { permissionMode });
    await host.user('go');
    await host.next('result/success');
    expect(toolResults(host)[0]).toContain(text);
    expect(host.labels).not.toContain('ask can_use_tool');
    await host.close();
  });

  test('without a host to ask, every prompt is a denial', async () => {
    const { host } = start([onUser([bash])], { promptsHost: false });
    await host.user('go');
    expect(await host.next('result/success')).toMatchObject({ permission_denials: [{ tool_name: 'Bash' }] });
    await host.close();
  });

  test('a refused prompt fails the call and the turn continues', async () => {
    const { host } = start([onUser([bash, say('well then')])]);
    await host.user('go');
    const { request_id: id } = await host.next('ask can_use_tool');
    await host.send({
      type: 'control_response',
      response: { subtype: 'error', request_id: id, error: 'callback threw' },
    });
    expect(await host.next('result/success')).toMatchObject({ result: 'well then' });
    expect(toolResults(host)[0]).toBe('Tool permission request failed: Error: callback threw');
    await host.close();
  });
});

describe('questions', () => {
  test.each(testedVersions)('%s gets its answers', async (version) => {
    const { cli, host } = start([onUser([askQuestion(question('Which colour?', ['Red', 'Green']))])], {
      version,
    });
    host.onRequest((body) => ({
      behavior: 'allow',
      updatedInput: { ...(isObject(body.input) ? body.input : {}), answers: { 'Which colour?': 'Green' } },
    }));
    await host.user('go');
    await host.next('result/success');
    expect(toolResults(host)[0]).toContain('"Which colour?"="Green"');
    await host.close();
    cli.assertFinished();
  });

  test('are asked in every mode, including bypass', async () => {
    const { host } = start([onUser([askQuestion('Well?')])], { permissionMode: 'bypassPermissions' });
    host.onRequest((body) => ({ behavior: 'allow', updatedInput: body.input }));
    await host.user('go');
    await host.next('ask can_use_tool');
    await host.close();
  });

  test('2.1.326 refuses answers without the questions', async () => {
    const { host } = start([onUser([askQuestion('Well?')])], { version: '2.1.326' });
    host.onRequest(() => ({ behavior: 'allow', updatedInput: { answers: { 'Well?': 'Yes' } } }));
    await host.user('go');
    await host.next('result/success');
    expect(toolResults(host)[0]).toContain('questions is missing');
    await host.close();
  });
});

describe('hooks', () => {
  const deny = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'not here',
    },
  };
  const allow = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { command: 'pwd' },
    },
  };
  const only = { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'id' } } };

  test.each([
    ['2.0.73', deny, 'not here', false],
    ['2.1.326', deny, 'PreToolUse:Bash hook error: not here', false],
    ['2.1.326', { decision: 'block', reason: 'blocked' }, 'blocked', false],
    ['2.1.17', allow, 'ran pwd', false],
    ['2.0.73', only, 'ran ls', true],
    ['2.1.17', only, 'ran id', true],
    ['2.1.326', {}, 'ran ls', true],
  ] as const)('%s does what PreToolUse says: %j', async (version, output, text, prompted) => {
    const { host } = start([onUser([bash])], { version });
    host.onRequest((body) =>
      body.subtype === 'hook_callback' ? output : { behavior: 'allow', updatedInput: body.input },
    );
    await host.ask('initialize', {
      hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_0'] }] },
    });
    await host.user('go');
    await host.next('result/success');
    expect(toolResults(host)[0]).toContain(text);
    expect(host.labels.includes('ask can_use_tool')).toBe(prompted);
    await host.close();
  });

  test('only matching callbacks are called, all of them at once', async () => {
    const { host } = start([onUser([useTool('Read', { file_path: 'a' })])]);
    const asked: unknown[] = [];
    host.onRequest((body) => {
      asked.push(body.callback_id);
      return {};
    });
    const matchers = ['Bash', 'Read|Write', '^Re.*', '*', undefined].map((matcher, index) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hookCallbackIds: [`hook_${index}`],
    }));
    await host.ask('initialize', { hooks: { PreToolUse: matchers } });
    await host.user('go');
    await host.next('result/success');
    expect(asked).toEqual(['hook_1', 'hook_2', 'hook_3', 'hook_4']);
    await host.close();
  });

  test.each([
    ['2.0.73', 'ran ls'],
    ['2.1.326', 'did not answer'],
  ] as const)('one that does not answer in time is withdrawn; on %s the call: %s', async (version, text) => {
    const clock = new ManualClock();
    const { host } = start([onUser([useTool('Bash', { command: 'ls' }, { result: 'ran ls' })])], {
      version,
      clock,
    });
    await host.ask('initialize', { hooks: { PreToolUse: [{ hookCallbackIds: ['hook_0'], timeout: 2 }] } });
    await host.user('go');
    await host.next('ask hook_callback');
    clock.advance(2_000);
    await host.next('result/success');
    expect(host.labels).toContain('control_cancel_request');
    expect(toolResults(host)[0]).toContain(text);
    void host.close();
  });

  test('a blocked prompt ends the turn without a model call', async () => {
    const { host } = start([onUser([say('never')])]);
    host.onRequest(() => ({ decision: 'block', reason: 'not now' }));
    await host.ask('initialize', { hooks: { UserPromptSubmit: [{ hookCallbackIds: ['h'] }] } });
    await host.user('go');
    expect(await host.next('result/success')).toMatchObject({ result: 'not now', num_turns: 0 });
    await host.close();
  });

  test('a Stop hook can make the model continue once', async () => {
    const { host } = start([onUser([say('done')])]);
    host.onRequest(({ input }) =>
      isObject(input) && input.stop_hook_active === true
        ? {}
        : { decision: 'block', reason: 'tests are missing' },
    );
    await host.ask('initialize', { hooks: { Stop: [{ hookCallbackIds: ['h'] }] } });
    await host.user('go');
    expect(await host.next('result/success')).toMatchObject({ result: 'I go on: tests are missing' });
    await host.close();
  });

  test('continue:false lets the tool run and then ends the turn', async () => {
    const { host } = start([onUser([bash, say('never')])]);
    host.onRequest((body) =>
      body.subtype === 'hook_callback'
        ? { continue: false, stopReason: 'enough' }
        : { behavior: 'allow', updatedInput: body.input },
    );
    await host.ask('initialize', { hooks: { PreToolUse: [{ hookCallbackIds: ['h'] }] } });
    await host.user('go');
    expect(await host.next('result/success')).toMatchObject({ terminal_reason: 'hook_stopped' });
    expect(toolResults(host)).toEqual(['ran ls']);
    await host.close();
  });

  test('any event can be fired, and its answer checked', async () => {
    const { cli, host } = start([
      onUser([hook('Notification', { message: 'hi' }, { expect: { continue: true } })]),
    ]);
    host.onRequest(() => ({ continue: true }));
    await host.ask('initialize', { hooks: { Notification: [{ hookCallbackIds: ['h'] }] } });
    await host.user('go');
    await host.next('result/success');
    await host.close();
    cli.assertFinished();
  });
});

describe('in-process servers', () => {
  test('are initialised at initialize by 2.1.326 and at the first message by old CLIs', async () => {
    for (const version of testedVersions) {
      const { host } = start(
        [onUser([mcpTool('clock', 'now', {}, { expect: { content: [{ text: 'noon' }] } })])],
        { version },
      );
      host.onRequest(({ message }) => ({ mcp_response: inProcessServer(message) }));
      await host.ask('initialize', { sdkMcpServers: ['clock'] });
      expect(host.labels.includes('ask mcp_message')).toBe(version === '2.1.326');
      await host.user('go');
      const init = await host.next('system/init');
      expect(init).toMatchObject({ mcp_servers: [{ name: 'clock', status: 'connected' }] });
      expect(init.tools).toContain('mcp__clock__now');
      await host.next('result/success');
      expect(methods(host)).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
      await host.close();
    }
  });

  test('that refuse the handshake have failed, and the turn continues', async () => {
    const { host } = start([onUser([say('without it')])]);
    host.onRequest(({ message }) => ({
      mcp_response: {
        jsonrpc: '2.0',
        id: isObject(message) ? message.id : 0,
        error: { code: -32603, message: 'no' },
      },
    }));
    await host.ask('initialize', { sdkMcpServers: ['clock'] });
    await host.user('go');
    await host.next('result/success');
    expect(await host.ask('mcp_status')).toMatchObject({
      response: { mcpServers: [{ status: 'failed', scope: 'user' }] },
    });
    await host.close();
  });

  test('get a notification about an interrupt, not a cancel', async () => {
    const { host } = start([onUser([mcpTool('clock', 'now')])]);
    host.onRequest(({ message }) =>
      isObject(message) && message.method === 'tools/call'
        ? undefined
        : { mcp_response: inProcessServer(message) },
    );
    await host.ask('initialize', { sdkMcpServers: ['clock'] });
    await host.user('go');
    await host.next((frame) => methodOf(frame) === 'tools/call');
    await host.ask('interrupt');
    await host.next('result/error_during_execution');
    expect(methods(host).at(-1)).toBe('notifications/cancelled');
    expect(host.labels).not.toContain('control_cancel_request');
    await host.close();
  });

  test('may be added by mcp_set_servers, except on 2.0.73', async () => {
    for (const version of testedVersions) {
      const { host } = start([], { version });
      host.onRequest(({ message }) => ({ mcp_response: inProcessServer(message) }));
      const { response } = await host.ask('mcp_set_servers', {
        servers: { clock: { type: 'sdk', name: 'clock' } },
      });
      const errors = version === '2.0.73' ? { clock: 'Connection failed' } : {};
      expect(response).toEqual({ added: ['clock'], removed: [], errors });
      await host.close();
    }
  });

  test('get the answer to their own request as a message without a method', async () => {
    const { host } = start([]);
    host.onRequest(({ message }) => ({ mcp_response: inProcessServer(message) }));
    await host.ask('initialize', { sdkMcpServers: ['clock'] });
    const ping = { jsonrpc: '2.0', id: 5, method: 'ping' };
    expect(await host.ask('mcp_message', { server_name: 'clock', message: ping })).not.toHaveProperty(
      'response',
    );
    const reply = await host.next(
      (frame) => isObject(frame.request) && isObject(frame.request.message) && frame.request.message.id === 5,
    );
    expect(reply).toMatchObject({ request: { message: { id: 5, result: {} } } });
    await host.close();
  });

  test('elicitations reach the host from 2.1.326 only', async () => {
    for (const version of testedVersions) {
      const { cli, host } = start([onUser([elicit('files', 'Name?', { expect: { action: 'decline' } })])], {
        version,
      });
      host.onRequest(() => ({ action: 'decline' }));
      await host.user('go');
      await host.next('result/success');
      expect(host.labels.includes('ask elicitation')).toBe(version === '2.1.326');
      await host.close();
      cli.assertFinished();
    }
  });
});

function start(scenario: Scenario, options: EmulateOptions = {}) {
  const cli = emulateCli(scenario, options);
  return { cli, host: new EmulatedHost(cli) };
}

function toolResults(host: EmulatedHost): readonly string[] {
  return host.frames.flatMap(({ type, message }) => {
    const [block] =
      type === 'user' && isObject(message) && Array.isArray(message.content) ? message.content : [];
    return isObject(block) && block.type === 'tool_result' ? [String(block.content)] : [];
  });
}

function methodOf({ request }: WireObject): unknown {
  return isObject(request) && isObject(request.message) ? request.message.method : undefined;
}

function methods(host: EmulatedHost): readonly unknown[] {
  return host.frames.map(methodOf).filter((method) => method !== undefined);
}
