import { describe, expect, test } from 'vitest';
import { capabilitiesOf } from '../../src/host/cli/capabilities.js';
import type { TurnOutcome } from '../../src/host/session/turns/outcome.js';
import { stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import { knownRealClis } from '../../src/lab/testing/real-cli/known-clis.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

const LONG = { command: 'node -e "setTimeout(() => {}, 60000)"' };

describeRealClis(
  'moving work to the background',
  (cli) => {
    test.each([
      ['its tool call, before the CLI has reported it', () => 'toolu_long', false],
      ['its task', (task: WireObject) => String(task.task_id), true],
      ['naming nothing', () => undefined, true],
      ['naming nothing, before the CLI has reported it', () => undefined, false],
    ])('moves a running command by %s', async (_how, target, waits) => {
      await using place = await realPlace(cli);
      await using session = await place.open({ allowedTools: ['Bash'] });
      const script = place.model.play([
        { when: 'run', reply: toolUse('Bash', LONG, 'toolu_long') },
        { when: { toolResult: /background/ }, reply: text('It runs on.') },
      ]);
      const started = new Promise<WireObject>((resolve) => {
        session.on('message', (message) => {
          if (message.subtype === 'task_started') resolve(message);
        });
      });
      const called = new Promise<WireObject>((resolve) => {
        session.on('message', (message) => {
          if (message.type === 'assistant') resolve(message);
        });
      });
      const turn = session.send('run');
      await turn.began;
      const task = waits ? await started : await called;
      expect(await session.background(target(task))).toEqual({ backgrounded: true });
      expect(await turn.text()).toBe('It runs on.');
      script.assertFinished();
      expect(await session.background()).toEqual({ backgrounded: false });
      expect(await session.background('nobody', { waitMs: 10 })).toEqual({ backgrounded: false });
    });

    test('moves a running agent by its own id', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({ allowedTools: ['Task'] });
      const job = { description: 'Work', prompt: 'the job', subagent_type: 'general-purpose' };
      place.model.play([
        { when: 'start', reply: toolUse('Task', { ...job, run_in_background: false }, 'toolu_agent') },
        { when: 'the job', reply: stall() },
        { when: { toolResult: /./ }, reply: text('It runs on.') },
      ]);
      const started = new Promise<WireObject>((resolve) => {
        session.on('message', (message) => {
          if (message.subtype === 'task_started') resolve(message);
        });
      });
      const turn = session.send('start');
      const { task_id: agent, task_type: kind } = await started;
      expect(kind).toBe('local_agent');
      expect(await session.background(String(agent))).toEqual({ backgrounded: true });
      expect(await turn.text()).toBe('It runs on.');
    });
  },
  ['2.1.326'],
);

const JOB = { description: 'Work', prompt: 'the job', subagent_type: 'general-purpose' };
const STARTS = { when: 'start', reply: toolUse('Task', { ...JOB, run_in_background: true }) };

describe.each(knownRealClis().filter((cli) => capabilitiesOf(cli).has('reportsLifecycle')))(
  'background work of CLI $version',
  (cli) => {
    test('is complete for settled() when its follow-up turn has ended', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({ allowedTools: ['Task'] });
      const answered = deferred<void>();
      place.model.play([
        STARTS,
        { when: 'the job', reply: () => answered.promise.then(() => text('Done.')), anyOrder: true },
        { when: { toolResult: /Async/ }, reply: text('It runs.') },
        { reply: text('I have heard.'), times: 'any' },
      ]);
      const unasked: Promise<TurnOutcome>[] = [];
      session.on('unasked', (turn) => void unasked.push(turn.outcome));
      await session.send('start').text();
      answered.resolve();
      await session.settled({ deadlineMs: 60_000 });
      expect(unasked).toHaveLength(1);
      const over = await Promise.race([...unasked, Promise.resolve('still running')]);
      expect(over).toMatchObject({ kind: 'success' });
    });

    test('is complete for settled() if the running turn was told that it ended', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open({ allowedTools: ['Task', 'Bash'] });
      const ended = new Promise<WireObject>((resolve) => {
        session.on('message', (message) => {
          if (message.subtype === 'task_notification') resolve(message);
        });
      });
      place.model.play([
        STARTS,
        { when: 'the job', reply: text('Done.'), anyOrder: true },
        {
          when: { toolResult: /Async/ },
          reply: () => ended.then(() => toolUse('Bash', { command: 'true' })),
        },
        { reply: text('I have heard.'), times: 'any' },
      ]);
      const unasked: unknown[] = [];
      session.on('unasked', (turn) => void unasked.push(turn));
      expect(await session.send('start').text()).toBe('I have heard.');
      await session.settled({ deadlineMs: 60_000 });
      expect(unasked).toEqual([]);
    });
  },
);

test.each(knownRealClis().filter(({ version }) => version === '2.1.112'))(
  'background work that CLI $version reports to nobody but the running turn is complete for settled()',
  async (cli) => {
    await using place = await realPlace(cli);
    await using session = await place.open({ allowedTools: ['Task', 'Bash'] });
    place.model.play([
      STARTS,
      { when: 'the job', reply: text('Done.'), anyOrder: true },
      { when: { toolResult: /Async/ }, reply: toolUse('Bash', { command: 'sleep 0.5' }) },
      { reply: text('I have heard.'), times: 'any' },
    ]);
    expect(await session.send('start').text()).toBe('I have heard.');
    await expect(session.settled({ deadlineMs: 60_000 })).resolves.toBeUndefined();
  },
);

describeRealClis(
  'moving work to the background',
  (cli) => {
    test('is refused at once by CLIs without support, with advice', async () => {
      await using place = await realPlace(cli);
      await using session = await place.open();
      expect(await session.supports('agent_run_to_background')).toMatchObject({ how: 'no' });
      await expect(session.background('toolu_long')).rejects.toMatchObject({
        code: 'ENDPOINT_UNSUPPORTED',
        message: expect.stringMatching(new RegExp(`${cli.version}.*2\\.1\\.139`)),
      });
    });
  },
  ['2.0.73', '2.1.17'],
);
