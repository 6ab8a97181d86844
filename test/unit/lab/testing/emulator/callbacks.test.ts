import { describe, expect, test } from 'vitest';
import { type EmulateOptions, emulateCli } from '../../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario } from '../../../../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { isObject, type WireObject } from '../../../../../src/wire/protocol/frames.js';
import { EmulatedHost } from '../../../../support/emulated-host.js';
import { inProcessServer } from '../../../../support/in-process-server.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { testedVersions } from '../../../../support/tested-versions.js';

const ls = useTool('Bash', { command: 'ls' }, { result: 'ran ls' });

describe('a hook callback', () => {
  test.each(testedVersions)(
    'that returns garbage counts as one without an answer, and %s reports it',
    async (version) => {
      const { cli, host } = start([onUser([ls])], { version, strict: false });
      host.onRequest(() => 'junk');
      await host.ask('initialize', { hooks: { PreToolUse: [{ hookCallbackIds: ['h'] }] } });
      await host.user('go');
      await host.next('result/success');
      const end = await host.close();
      expect(toolResult(host)).toMatchObject({ content: 'ran ls' });
      expect(end).toMatchObject({ stderrTail: expect.stringContaining('Error in hook callback h') });
      expect(host.labels.includes('system/informational')).toBe(version === '2.1.326');
      cli.assertFinished();
    },
  );

  test('that must not fail blocks the call when it refuses', async () => {
    const { host } = start([onUser([ls])]);
    await host.ask('initialize', { hooks: { PreToolUse: [{ hookCallbackIds: ['h'], onFailure: 'block' }] } });
    await host.user('go');
    const { request_id: id } = await host.next('ask hook_callback');
    await host.send({
      type: 'control_response',
      response: { subtype: 'error', request_id: id, error: 'boom' },
    });
    await host.next('result/success');
    expect(toolResult(host)).toMatchObject({ is_error: true });
    await host.close();
  });

  test.each([
    ['2.0.73', 'Stop', 'ran ls'],
    ['2.0.73', 'PostToolUse', 'another event'],
    ['2.1.326', 'Stop', 'another event'],
  ] as const)('on %s that answers PreToolUse for %s: %s', async (version, hookEventName, text) => {
    const { host } = start([onUser([ls])], { version });
    host.onRequest(() => ({ hookSpecificOutput: { hookEventName } }));
    await host.ask('initialize', { hooks: { PreToolUse: [{ hookCallbackIds: ['h'] }] } });
    await host.user('go');
    await host.next('result/success');
    expect(toolResult(host)).toMatchObject({ content: expect.stringContaining(text) });
    await host.close();
  });

  test('gets the whole batch only from 2.1.326', async () => {
    for (const version of testedVersions) {
      const { host } = start([onUser([ls])], { version });
      const events: unknown[] = [];
      host.onRequest(({ input }) => {
        events.push(isObject(input) ? input.hook_event_name : undefined);
        return {};
      });
      const hooks = ['PreToolUse', 'PostToolUse', 'PostToolBatch'].map((event) => [
        event,
        [{ hookCallbackIds: ['h'] }],
      ]);
      await host.ask('initialize', { hooks: Object.fromEntries(hooks) });
      await host.user('go');
      await host.next('result/success');
      expect(events).toEqual([
        'PreToolUse',
        'PostToolUse',
        ...(version === '2.1.326' ? ['PostToolBatch'] : []),
      ]);
      await host.close();
    }
  });

  test('is called by 2.0.73 for two agents that nobody started', async () => {
    const { host } = start([], { version: '2.0.73' });
    const seen: unknown[] = [];
    host.onRequest(({ input }) => {
      seen.push(isObject(input) ? `${input.hook_event_name} ${input.agent_type ?? ''}` : input);
      return {};
    });
    const hooks = { SubagentStart: [{ hookCallbackIds: ['a'] }], SubagentStop: [{ hookCallbackIds: ['b'] }] };
    await host.ask('initialize', { hooks });
    for (let count = 0; count < 4; count += 1) await host.next('ask hook_callback');
    expect(seen).toEqual(['SubagentStart Explore', 'SubagentStart Plan', 'SubagentStop ', 'SubagentStop ']);
    await host.close();
  });
});

describe('a running tool', () => {
  test.each([
    ['2.1.17', 'Exit code 137'],
    ['2.1.326', 'rejected'],
  ] as const)('is broken off by an interrupt: %s says %s', async (version, text) => {
    const slow = useTool('Bash', { command: 'sleep 60' }, { takesMs: 60_000 });
    const { host } = start([onUser([slow])], { version, clock: new ManualClock() });
    await host.user('go');
    await host.next('assistant');
    await host.ask('interrupt');
    await host.next('result/error_during_execution');
    expect(toolResult(host)).toMatchObject({ content: expect.stringContaining(text), is_error: true });
    expect(host.labels).not.toContain('control_cancel_request');
    void host.close();
  });
});

describe('an in-process server', () => {
  test('that never answers delays the turn by 60 s on old versions, and twice 30 s on 2.1.326', async () => {
    for (const version of testedVersions) {
      const clock = new ManualClock();
      const { host } = start([onUser([say('at last')])], { version, clock });
      await host.ask('initialize', { sdkMcpServers: ['mute'] });
      await host.user('go');
      const isNew = version === '2.1.326';
      if (!isNew) await host.next('ask mcp_message');
      clock.advance(isNew ? 30_000 : 60_000);
      if (isNew) {
        await host.next('ask mcp_message');
        clock.advance(30_000);
      }
      expect(await host.next('system/init')).toMatchObject({
        mcp_servers: [{ name: 'mute', status: 'failed' }],
      });
      await host.next('result/success');
      expect(host.labels).not.toContain('control_cancel_request');
      void host.close();
    }
  });

  test('is removed by mcp_set_servers if initialize named it, except on 2.0.73', async () => {
    for (const version of testedVersions) {
      const { host } = start([], { version });
      host.onRequest(({ message }) => ({ mcp_response: inProcessServer(message) }));
      await host.ask('initialize', { sdkMcpServers: ['clock'] });
      const { response } = await host.ask('mcp_set_servers', { servers: {} });
      expect(response).toMatchObject({ removed: version === '2.0.73' ? [] : ['clock'] });
      await host.close();
    }
  });
});

describe('the session', () => {
  test('reports its activity if the host requested it', async () => {
    const { host } = start([onUser([useTool('Bash', { command: 'ls' }, { ask: true })])], {
      tellsActivity: true,
    });
    host.onRequest((body) => ({ behavior: 'allow', updatedInput: body.input }));
    await host.user('go', { uuid: 'x' });
    await host.next((frame) => frame.state === 'idle');
    const changes = host.frames.filter(({ subtype }) => subtype === 'session_state_changed');
    expect(changes.map(({ state }) => state)).toEqual(['running', 'requires_action', 'running', 'idle']);
    expect(host.labels[0]).toBe('system/session_state_changed');
    await host.close();
  });

  test('changes its model during a turn on 2.1.326, and at the next turn on old versions', async () => {
    for (const version of testedVersions) {
      const { host } = start([onUser([ls, useTool('Bash', { command: 'x' }, { ask: true }), say('done')])], {
        version,
      });
      await host.user('go');
      const prompt = await host.next('ask can_use_tool');
      await host.ask('set_model', { model: 'haiku' });
      await host.answer(prompt, { behavior: 'allow', updatedInput: { command: 'x' } });
      await host.next('result/success');
      const last = host.frames.findLast(({ type }) => type === 'assistant');
      const { model } = isObject(last?.message) ? last.message : {};
      expect(String(model).includes('haiku')).toBe(version === '2.1.326');
      await host.close();
    }
  });
});

function start(scenario: Scenario, options: EmulateOptions = {}) {
  const cli = emulateCli(scenario, options);
  return { cli, host: new EmulatedHost(cli) };
}

function toolResult(host: EmulatedHost): WireObject | undefined {
  const blocks = host.frames.flatMap(({ type, message }) =>
    type === 'user' && isObject(message) && Array.isArray(message.content) ? message.content : [],
  );
  return blocks.filter(isObject).find(({ type }) => type === 'tool_result');
}
