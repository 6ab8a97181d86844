import { describe, expect, test } from 'vitest';
import { mcpServer } from '../../../../src/host/mcp/mcp-server.js';
import { tool } from '../../../../src/host/mcp/tool.js';
import { onRequest, onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { mcpTool } from '../../../../src/lab/testing/emulator/steps/asking-steps.js';
import { raw } from '../../../../src/lab/testing/emulator/steps/fault-steps.js';
import { act, die } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { useTool } from '../../../../src/lab/testing/emulator/steps/tool-steps.js';
import type { LaunchOptions } from '../../../../src/server/manager/manager-options.js';
import type { ModelUsage } from '../../../../src/wire/protocol/catalog/shapes/usage-shapes.schemas.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager } from '../../../support/manager.js';

const always = { times: 'any' } as const;

describe('a turn can be stopped', () => {
  test('with stop(), and is not sent to another CLI', async () => {
    const reached = deferred<void>();
    const dies = [onUser(undefined, [act(() => reached.promise), die({ code: 1 })], always)];
    const { manager, clis } = await emulatedManager({ scenarios: [dies, echo] });
    const turn = manager.conversation('one').send('x');
    await turn.began;
    const stopped = turn.stop();
    reached.resolve();
    expect(['interrupted', 'cli-ended']).toContain((await stopped).kind);
    expect(clis()).toBe(1);
  });

  test('while it waits for a limit; then nothing waits any more', async () => {
    const until = Math.round(Date.now() / 1000) + 3_600;
    const text = `limit reached|${until}`;
    const limited = [onUser(undefined, [apiFailure({ error: 'rate_limit', status: 429, text })], always)];
    const { manager } = await emulatedManager({ scenarios: [limited] });
    const talk = manager.conversation('one');
    const turn = talk.send('x');
    await expect.poll(() => talk.state).toBe('limited');
    await talk.park();
    expect(await turn.stop()).toEqual({ kind: 'cancelled' });
    await expect.poll(() => talk.state).toBe('parked');
  });
});

test('a message that interrupts goes before one that waits for its CLI', async () => {
  const gate = deferred<void>();
  const busy = [onUser(undefined, [act(() => gate.promise), done()], always)];
  const heard: string[] = [];
  const hears = [onUser(undefined, (text) => [act(() => void heard.push(text)), done()], always)];
  const { manager } = await emulatedManager({ scenarios: [busy, hears] }, { maxRunning: 1 });
  manager.conversation('other').send('x');
  const talk = manager.conversation('one');
  const waiting = talk.send('first');
  await expect.poll(() => talk.state).toBe('queued');
  const urgent = talk.send('urgent', { whileBusy: 'interrupt' });
  gate.resolve();
  await Promise.all([urgent.outcome, waiting.outcome]);
  expect(heard).toEqual(['urgent', 'first']);
});

describe('a conversation across several CLIs', () => {
  test('keeps its model and its mode, including later changes', async () => {
    const status = { type: 'system', subtype: 'status', status: null, permissionMode: 'acceptEdits' };
    const changes = [
      onUser(undefined, [raw(JSON.stringify({ ...status, uuid: 'u', session_id: 's' })), done()], always),
    ];
    const { manager, launches } = await emulatedManager({ scenarios: [changes] });
    const talk = manager.conversation('one', { model: 'first', permissionMode: 'plan' });
    await talk.send('x').outcome;
    await talk.setModel('second');
    await talk.park();
    await talk.send('y').outcome;
    const options = launches.map((launch) => valuesOf(launch.arguments, '--model', '--permission-mode'));
    expect(options).toEqual([
      ['first', 'plan'],
      ['second', 'acceptEdits'],
    ]);
  });

  test('changes the model of a CLI that is starting', async () => {
    const gate = deferred<void>();
    const models: string[] = [];
    const slow = [
      onRequest('initialize', [act(() => gate.promise)]),
      onRequest('set_model', [act(() => void models.push('set'))]),
      ...echo,
    ];
    const { manager, launches } = await emulatedManager({ scenarios: [slow] });
    const talk = manager.conversation('one', { model: 'first' });
    const turn = talk.send('x');
    await expect.poll(() => [talk.state, launches.length]).toEqual(['starting', 1]);
    const changed = talk.setModel('second');
    gate.resolve();
    await Promise.all([changed, turn.outcome]);
    await talk.park();
    await talk.send('y').outcome;
    expect(models).toEqual(['set']);
    expect(valuesOf(launches[1]?.arguments ?? [], '--model')).toEqual(['second']);
  });

  test('keeps its hooks, callbacks and in-process servers', async () => {
    const called: string[] = [];
    const run = () => {
      called.push('server');
      return 'noted';
    };
    const note = tool({ name: 'note', description: 'd', run });
    const uses = [
      onUser(
        undefined,
        [useTool('Bash', { command: 'x' }, { ask: true }), mcpTool('notes', 'note'), done()],
        always,
      ),
    ];
    const defaults: LaunchOptions = {
      hooks: { PreToolUse: [{ matcher: 'Bash', run: () => void called.push('hook') }] },
      onPermission: (prompt) => {
        called.push('callback');
        return prompt.allow();
      },
      mcpServers: { notes: mcpServer('notes', [note]) },
    };
    const { manager, clis } = await emulatedManager({ scenarios: [uses] }, { defaults });
    const talk = manager.conversation('one');
    expect((await talk.send('x').outcome).kind).toBe('success');
    await talk.park();
    expect((await talk.send('y').outcome).kind).toBe('success');
    expect([clis(), called]).toEqual([2, Array(2).fill(['hook', 'callback', 'server']).flat()]);
  });

  test('counts the usage of a CLI once, even if a resumed one continues from the total', async () => {
    const usage = (n: number) => ({
      total_cost_usd: n,
      usage: { input_tokens: 10, output_tokens: 10 },
      modelUsage: { m: { inputTokens: 10 * n, outputTokens: 10 * n } as ModelUsage },
      model_usage_since_last_result: { m: { inputTokens: 10, outputTokens: 10, costUSD: 1 } as ModelUsage },
    });
    const scenarios = [1, 2].map((n) => [onUser(undefined, [done('ok', usage(n))], always)]);
    const { manager } = await emulatedManager({ scenarios });
    const talk = manager.conversation('one');
    const first = await talk.send('x').outcome;
    await talk.park();
    const second = await talk.send('y').outcome;
    expect([first.usage?.costUsd, second.usage?.costUsd, talk.costUsd]).toEqual([1, 1, 2]);
    expect(manager.counters.costUsd).toBe(2);
  });
});

function valuesOf(args: readonly string[], ...flags: string[]): (string | undefined)[] {
  return flags.map((flag) => args.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1));
}

describe('a conversation with its own id', () => {
  const id = '11111111-2222-4333-8444-555555555555';

  test('passes it to its CLI, keeps it before the first message, and continues under it', async () => {
    const { manager, launches } = await emulatedManager({ scenarios: [echo] });
    const talk = manager.conversation('one', { id });
    await talk.wake();
    await talk.park();
    await talk.send('x').outcome;
    expect(talk.id).toBe(id);
    await talk.park();
    await talk.wake();
    expect(launches.map(({ sessionId, resume }) => ({ sessionId, resume }))).toEqual([
      { sessionId: id, resume: undefined },
      { sessionId: id, resume: undefined },
      { sessionId: undefined, resume: id },
    ]);
  });

  test('leaves it to the program if it has none', async () => {
    const optionsFor = () => ({ sessionId: id }) as object;
    const { manager, launches } = await emulatedManager({ scenarios: [echo] }, { optionsFor });
    await manager.conversation('one').wake();
    expect(launches.map(({ sessionId }) => sessionId)).toEqual([id]);
  });

  test('does not change it', async () => {
    const { manager } = await emulatedManager({ scenarios: [echo] });
    manager.conversation('one', { id });
    expect(() => manager.conversation('one', { id: id.replace('1', '2') })).toThrow(/cannot change id/);
    manager.conversation('one', { id });
  });
});
