import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import type { Turn } from '../../src/host/session/turns/turn.js';
import { type EmulateOptions, emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import {
  onRequest,
  onUser,
  type Scenario,
  unasked,
} from '../../src/lab/testing/emulator/scenario/scenario.js';
import { flood } from '../../src/lab/testing/emulator/steps/fault-steps.js';
import { act, die, hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, done, fail } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { endTask, startTask } from '../../src/lab/testing/emulator/steps/task-steps.js';
import { askQuestion, question, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { ManualClock } from '../support/manual-clock.js';
import { testedVersions } from '../support/tested-versions.js';

async function open(scenario: Scenario, options: SessionOptions = {}, emulation: EmulateOptions = {}) {
  const cli = emulateCli(scenario, emulation);
  const session = await openSession({ transport: cli.transport, ...options });
  return { cli, session };
}

async function typesIn(turn: Turn): Promise<string[]> {
  const seen: string[] = [];
  for await (const { type, subtype } of turn)
    seen.push(subtype === undefined ? String(type) : `${type}/${subtype}`);
  return seen;
}

test('a message of 70 MB is read like any other', async () => {
  const { session } = await open([onUser([say('read')])]);
  await using _owned = session;
  expect(await session.send('x'.repeat(70_000_000)).text()).toBe('read');
});

describe.each(testedVersions)('turns on %s', (version) => {
  test('a whole turn: messages in order, then the outcome', async () => {
    const { session, cli } = await open(
      [
        onUser('hi', [
          say('one'),
          useTool('Bash', { command: 'ls' }, { ask: true, result: 'a' }),
          say('two'),
        ]),
      ],
      { onPermission: (request) => request.allow() },
      { version },
    );
    await using _owned = session;
    const turn = session.send('hi');
    const types = (await typesIn(turn)).filter((type) => type !== 'command_lifecycle');
    expect(types).toEqual(['system/init', 'assistant', 'assistant', 'user', 'assistant', 'result/success']);
    expect(await turn.outcome).toMatchObject({ kind: 'success', text: 'two' });
    expect(turn.receipt).toBe('settled');
    cli.assertFinished();
  });

  test('messages sent during a turn get their own results', async () => {
    const gate = deferred<void>();
    const { session } = await open(
      [
        onUser('one', [act(() => gate.promise), say('first')]),
        onUser(undefined, (text) => [say(`heard ${text}`)], { times: 'any' }),
      ],
      {},
      { version },
    );
    await using _owned = session;
    const turns = [session.send('one'), session.send('two'), session.send('three')];
    await turns[0]?.began;
    gate.resolve();
    const texts = await Promise.all(turns.map((turn) => turn.text()));
    const merges = version === '2.1.326';
    if (merges) expect(texts[1]).toBe(texts[2]);
    else expect(texts).toEqual(['first', 'heard two', 'heard three']);
    expect(texts[0]).toBe('first');
    expect(await turns[2]?.began).toBe(merges ? 'merged' : 'started');
  });

  test('a waiting message can be cancelled', async () => {
    const gate = deferred<void>();
    const { session, cli } = await open(
      [onUser('one', [act(() => gate.promise), say('x')])],
      {},
      { version },
    );
    await using _owned = session;
    const one = session.send('one');
    await one.began;
    const two = session.send('two');
    expect(await two.cancel()).toBe(true);
    expect((await two.outcome).kind).toBe('cancelled');
    gate.resolve();
    expect(await one.text()).toBe('x');
    expect(await one.cancel()).toBe(false);
    cli.assertFinished();
  });

  test('an interrupt is an outcome, and the session continues', async () => {
    const { session } = await open(
      [onUser('stop me', [say('so far'), hang()]), onUser('next', [say('fine')])],
      {},
      { version },
    );
    await using _owned = session;
    const turn = session.send('stop me');
    expect(await session.interrupt()).toMatchObject({ interrupted: true });
    expect((await turn.outcome).kind).toBe('interrupted');
    expect(await session.send('next').text()).toBe('fine');
    expect(await session.interrupt()).toMatchObject({ interrupted: false });
  });

  test('an interrupt with cancelQueued also cancels waiting messages', async () => {
    const { session } = await open([onUser('one', [hang()]), onUser('after', [say('ok')])], {}, { version });
    await using _owned = session;
    const one = session.send('one');
    const two = session.send('two');
    await one.began;
    const receipt = await session.interrupt({ cancelQueued: true });
    expect(receipt.cancelled).toEqual([two.userMessageId]);
    expect([(await one.outcome).kind, (await two.outcome).kind]).toEqual(['interrupted', 'cancelled']);
    expect(await session.send('after').text()).toBe('ok');
  });

  test('failures have distinct kinds, whatever the wire calls them', async () => {
    const { session } = await open(
      [
        onUser('500', [apiFailure({ error: version === '2.1.326' ? 'server_error' : 'unknown' })]),
        onUser('401', [
          apiFailure({ error: 'authentication_failed', status: 401, text: 'API Error: 401 bad key' }),
        ]),
        onUser('429', [
          apiFailure({
            error: version === '2.1.326' ? 'rate_limit' : 'unknown',
            status: 429,
            text: 'API Error: 429 slow',
          }),
        ]),
        onUser('turns', [fail('error_max_turns')]),
        onUser('budget', [fail('error_max_budget_usd')]),
        onUser('broken', [fail('error_during_execution')]),
      ],
      {},
      { version },
    );
    await using _owned = session;
    const kinds: string[] = [];
    for (const prompt of ['500', '401', '429', 'turns', 'budget', 'broken'])
      kinds.push((await session.send(prompt).outcome).kind);
    expect(kinds).toEqual(['error', 'auth', 'rate-limited', 'max-turns', 'budget', 'error']);
  });

  test('when the CLI dies, every turn, call and reader gets the same cause', async () => {
    const { session } = await open(
      [onUser('one', [say('so far'), die({ code: 3, stderr: 'boom' })])],
      {},
      { version },
    );
    const [one, two] = [session.send('one'), session.send('two')];
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const { type } of one) seen.push(type);
    })();
    const outcome = await one.outcome;
    if (outcome.kind !== 'cli-ended') throw new Error(`not cli-ended but ${outcome.kind}`);
    expect(outcome.error).toMatchObject({
      code: 'CLI_ENDED',
      exitCode: 3,
      stderrTail: /boom/,
      phase: 'ready',
    });
    expect(await two.outcome).toEqual(outcome);
    await expect(reading).rejects.toBe(outcome.error);
    expect(seen).toContain('assistant');
    expect(session.state).toBe('ended');
  });

  test('an exit with code 0 during a turn is not a success', async () => {
    const { session } = await open([onUser('one', [say('so far'), die({ code: 0 })])], {}, { version });
    expect(await session.send('one').outcome).toMatchObject({ kind: 'cli-ended', error: { exitCode: 0 } });
  });

  test('a permission and a question reach their callbacks', async () => {
    const asked: string[] = [];
    const { session, cli } = await open(
      [
        onUser([
          useTool('Bash', { command: 'rm' }, { ask: true, expect: { behavior: 'deny' }, result: 'never' }),
          askQuestion(question('Which colour?', ['Red', 'Green'], { header: 'Colour' })),
          say('done'),
        ]),
      ],
      {
        onPermission: (request) => {
          asked.push(request.tool);
          return request.deny('no shell here');
        },
        onQuestion: (form) => {
          asked.push(...form.questions.map(({ question: text }) => text));
          return form.answer({ 'Which colour?': 'Green' });
        },
      },
      { version },
    );
    await using _owned = session;
    expect(await session.send('go').text()).toBe('done');
    expect(asked).toEqual(['Bash', 'Which colour?']);
    cli.assertFinished();
  });
});

describe('turns', () => {
  test('stream their text once, whether or not it arrives in pieces', async () => {
    for (const partialMessages of [true, false]) {
      const { session } = await open([onUser([say('Hello there')])], {}, { partialMessages });
      await using _owned = session;
      let text = '';
      for await (const delta of session.send('hi').textDeltas()) text += delta.text;
      expect(text).toBe('Hello there');
    }
  });

  test('leaving the loop detaches the reader and does not interrupt', async () => {
    const { session } = await open([onUser([say('one'), say('two')])]);
    await using _owned = session;
    const turn = session.send('hi');
    for await (const _message of turn) break;
    expect(await turn.text()).toBe('two');
    expect(turn.dropped).toBeGreaterThan(0);
  });

  test('a turn that the CLI starts appears on session.unasked, and settled() waits for it', async () => {
    const finish = deferred<void>();
    const { session } = await open([
      onUser([startTask('t1'), say('started')]),
      unasked([act(() => finish.promise), endTask('t1'), say('the task is done')]),
    ]);
    await using _owned = session;
    const own = (async () => {
      for await (const turn of session.unasked) return turn;
      return undefined;
    })();
    expect(await session.send('go').text()).toBe('started');
    let settled = false;
    const settling = session.settled({ deadlineMs: 10_000 }).then(() => (settled = true));
    expect(settled).toBe(false);
    finish.resolve();
    const turn = await own;
    expect(turn?.userMessageId).toBeUndefined();
    expect(await turn?.text()).toBe('the task is done');
    await settling;
  });

  test('a repeated uuid is refused, because the CLI would silently drop it', async () => {
    const { session } = await open([onUser(undefined, [say('x')], { times: 'any' })]);
    await using _owned = session;
    const turn = session.send('a');
    await turn.outcome;
    expect(() => session.send('b', { uuid: String(turn.userMessageId) })).toThrow(
      expect.objectContaining({ code: 'MESSAGE_INVALID' }),
    );
  });

  test('unknown messages are passed on unchanged', async () => {
    const future = { type: 'from_the_future', deep: { keys: [1, null] } };
    const { session } = await open([onUser([send(future), say('x')])]);
    await using _owned = session;
    const seen: unknown[] = [];
    for await (const message of session.send('go'))
      if (String(message.type) === 'from_the_future') seen.push(message);
    expect(seen).toMatchObject([future]);
  });

  test('structured output: a valid value is a success, anything else a typed failure', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const { session } = await open(
      [
        onUser('good', [done('{}', { structured_output: { n: 1 } })]),
        onUser('bad', [done('{}', { structured_output: { n: 'x' } })]),
        onUser('none', [done('text only')]),
        onUser('retries', [fail('error_max_structured_output_retries')]),
      ],
      { outputSchema: schema },
    );
    await using _owned = session;
    const outcomes = [];
    for (const prompt of ['good', 'bad', 'none', 'retries'])
      outcomes.push(await session.send(prompt).outcome);
    expect(outcomes).toMatchObject([
      { kind: 'success', output: { n: 1 } },
      { kind: 'output-invalid', message: /n/ },
      { kind: 'output-invalid' },
      { kind: 'output-invalid' },
    ]);
  });

  test('cost is reported per turn and in total; once the host’s budget is spent, nothing more is sent', async () => {
    const { session, cli } = await open([onUser([say('a')]), onUser([say('b')])], { maxBudgetUsd: 0.0001 });
    await using _owned = session;
    const first = await session.send('one').outcome;
    expect(first.usage?.costUsd).toBeGreaterThan(0);
    expect(session.usage).toEqual(first.usage);
    expect(await session.send('two').outcome).toMatchObject({ kind: 'budget', by: 'host' });
    expect(cli.received.filter(({ type }) => type === 'user')).toHaveLength(1);
  });

  test('a stalled turn is settled and interrupted; the session continues', async () => {
    const clock = new ManualClock();
    const cli = emulateCli([onUser('hangs', [hang()]), onUser('next', [say('ok')])]);
    await using session = await openSession({ transport: cli.transport, stallMs: 100 }, { clock });
    const turn = session.send('hangs');
    await turn.began;
    clock.advance(100);
    expect(await turn.outcome).toMatchObject({ kind: 'stalled', quietMs: 100 });
    expect(await session.send('next').text()).toBe('ok');
  });

  test('a turn that waits for a person does not stall', async () => {
    const clock = new ManualClock();
    const asked = deferred<void>();
    const answered = deferred<void>();
    const cli = emulateCli([onUser([useTool('Bash', {}, { ask: true, result: 'x' }), say('ok')])]);
    await using session = await openSession(
      {
        transport: cli.transport,
        stallMs: 100,
        onPermission: async (request) => {
          asked.resolve();
          await answered.promise;
          return request.allow();
        },
      },
      { clock },
    );
    const turn = session.send('go');
    await asked.promise;
    clock.advance(10_000);
    expect(session.waitingFor).toContain('can_use_tool Bash');
    answered.resolve();
    expect(await turn.text()).toBe('ok');
  });
});

describe('data and control', () => {
  test('a control call inside the loop does not deadlock while the CLI floods', async () => {
    const { session } = await open([onUser([flood(5_000, 200), say('end')])], {
      buffer: { messages: 10, characters: 5_000 },
    });
    await using _owned = session;
    const turn = session.send('go');
    let seen = 0;
    for await (const _message of turn) {
      seen += 1;
      if (seen % 500 === 0) await session.control('mcp_status');
    }
    expect(seen).toBeGreaterThan(5_000);
    expect(turn.dropped).toBe(0);
  });

  test('a flood that nobody reads does not accumulate, and the outcome still arrives', async () => {
    const { session } = await open([onUser([flood(20_000, 500), say('end')])], {
      buffer: { messages: 100, characters: 50_000 },
    });
    await using _owned = session;
    const turn = session.send('go');
    expect(await turn.text()).toBe('end');
    expect(turn.dropped).toBeGreaterThan(19_000);
  });

  test('messages above the hard limit end the session with a typed error', async () => {
    const { session } = await open(
      [onUser([flood(20_000, 1_000), hang()]), onRequest('mcp_status', [hang()])],
      {
        buffer: { messages: 10, characters: 10_000, hardCharacters: 1_000_000 },
      },
    );
    const turn = session.send('go');
    const reader = turn[Symbol.asyncIterator]();
    await reader.next();
    // An unanswered host request keeps reading going while nobody reads.
    const callFails = expect(session.control('mcp_status')).rejects.toMatchObject({
      code: 'SESSION_OVERFLOW',
    });
    expect(await turn.outcome).toMatchObject({ kind: 'cli-ended', error: { code: 'SESSION_OVERFLOW' } });
    await callFails;
    await session.close();
  });
});
