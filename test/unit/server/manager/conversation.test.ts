import { describe, expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { raw } from '../../../../src/lab/testing/emulator/steps/fault-steps.js';
import { act, die, hang } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import type { ModelUsage } from '../../../../src/wire/protocol/catalog/shapes/usage-shapes.schemas.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager } from '../../../support/manager.js';

const always = { times: 'any' } as const;

async function collect<T>(source: AsyncIterable<T>, into: T[]): Promise<T[]> {
  for await (const each of source) into.push(each);
  return into;
}

describe('the reader of a turn', () => {
  test('gets the output of the second CLI if the first one died', async () => {
    const dies = [onUser(undefined, [die({ code: 1 })], always)];
    const { manager } = await emulatedManager({ scenarios: [dies, echo] });
    const turn = manager.conversation('one').send('x');
    const messages = await collect(turn, []);
    expect(messages.at(-1)?.type).toBe('result');
    expect(turn.dropped).toBe(0);
  });

  test('gets an error when the CLI ended, after its output', async () => {
    const dies = [onUser(undefined, [say('half'), die({ code: 1 })], always)];
    const { manager } = await emulatedManager({ scenarios: [dies] });
    const turn = manager.conversation('one').send('x');
    const seen: unknown[] = [];
    await expect(collect(turn.textDeltas(), seen as never[])).rejects.toMatchObject({ code: 'CLI_ENDED' });
    expect(seen).toMatchObject([{ text: 'half' }]);
  });

  test('is the only reader of the turn', async () => {
    const { manager } = await emulatedManager({ scenarios: [echo] });
    const turn = manager.conversation('one').send('x');
    await collect(turn, []);
    await expect(collect(turn, [])).rejects.toMatchObject({ code: 'READER_TAKEN' });
  });

  test('that comes late gets what was buffered for it', async () => {
    const { manager } = await emulatedManager({ scenarios: [echo] });
    const turn = manager.conversation('one').send('x');
    await turn.outcome;
    expect((await collect(turn, [])).map(({ type }) => type)).toContain('assistant');
  });
});

describe('a turn can be stopped', () => {
  const stuck = [onUser(undefined, [say('…'), hang()], always)];

  test.each([
    ['while it runs', 0, 'aborted'],
    ['while it waits', 1, 'aborted'],
  ] as const)('by its signal %s', async (_when, index, expected) => {
    const { manager } = await emulatedManager({ scenarios: [stuck] });
    const talk = manager.conversation('one');
    const [first, second] = [new AbortController(), new AbortController()];
    const turns = [talk.send('a', { signal: first.signal }), talk.send('b', { signal: second.signal })];
    await turns[0]?.began;
    [first, second][index]?.abort('enough');
    expect(await turns[index]?.outcome).toMatchObject({ kind: expected, cause: 'enough' });
  });

  test('with a signal that is already aborted: nothing is sent', async () => {
    const { manager, clis } = await emulatedManager({ scenarios: [echo] });
    const talk = manager.conversation('one');
    const turn = talk.send('x', { signal: AbortSignal.abort('no') });
    expect(await turn.outcome).toMatchObject({ kind: 'aborted', cause: 'no' });
    await talk.settled();
    expect([clis(), talk.facts.messages]).toEqual([0, 0]);
  });

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

describe('a conversation across several CLIs', () => {
  test('delivers all messages to one reader', async () => {
    const { manager } = await emulatedManager({ scenarios: [echo] });
    const talk = manager.conversation('one');
    const seen: { readonly type?: unknown }[] = [];
    const reading = collect(talk.messages(), seen as never[]);
    await talk.send('a').outcome;
    await talk.park();
    await talk.send('b').outcome;
    await manager.close();
    await reading;
    expect(seen.filter(({ type }) => type === 'result')).toHaveLength(2);
  });

  test('notifies its own listeners', async () => {
    const { manager } = await emulatedManager({ scenarios: [echo] });
    const [one, two] = [manager.conversation('one'), manager.conversation('two')];
    const told: string[] = [];
    one.on('turn', ({ conversation }) => told.push(conversation));
    await Promise.all([one.send('a').outcome, two.send('b').outcome]);
    expect(told).toEqual(['one']);
  });

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

  test('counts the usage of a CLI once, even if a resumed one continues from the total', async () => {
    const usage = (n: number) => ({
      total_cost_usd: n,
      usage: { input_tokens: 10, output_tokens: 10 },
      modelUsage: { m: { inputTokens: 10 * n, outputTokens: 10 * n } as ModelUsage },
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

  test('refuses an unsettled message a second time', async () => {
    const { manager } = await emulatedManager({ scenarios: [echo] });
    const talk = manager.conversation('one');
    const uuid = 'b2c6a1de-6c0f-4f0e-9d5c-0d2f4c1f7a11';
    const turn = talk.send('x', { uuid });
    expect(turn.userMessageId).toBe(uuid);
    expect(() => talk.send('x', { uuid })).toThrow(expect.objectContaining({ code: 'MESSAGE_INVALID' }));
    expect(await turn.text()).toBe('echo: x');
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
