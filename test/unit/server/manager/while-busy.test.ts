import { expect, test } from 'vitest';
import { onUser, unasked } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { act, hang } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager } from '../../../support/manager.js';

const always = { times: 'any' } as const;

test('a message that is refused replaces nothing', async () => {
  const gate = deferred<void>();
  const busy = [onUser(undefined, [act(() => gate.promise), done()], always)];
  const { manager } = await emulatedManager({ scenarios: [busy] });
  const talk = manager.conversation('one');
  const [running, waiting] = [talk.send('a'), talk.send('b')];
  const again = { whileBusy: 'replace', uuid: running.userMessageId } as const;
  expect(() => talk.send('c', again)).toThrow(expect.objectContaining({ code: 'MESSAGE_INVALID' }));
  gate.resolve();
  expect((await waiting.outcome).kind).toBe('success');
});

test('a message that replaces one that waits for a slot keeps its place', async () => {
  const gate = deferred<void>();
  const busy = [onUser(undefined, [act(() => gate.promise), done()], always)];
  const { manager } = await emulatedManager({ scenarios: [busy, echo] }, { maxRunning: 1 });
  manager.conversation('busy').send('x');
  const [first, second] = [manager.conversation('first'), manager.conversation('second')];
  const replaced = first.send('a');
  second.send('b');
  await expect.poll(() => [first.ahead, second.ahead]).toEqual([0, 1]);
  const turn = first.send('c', { whileBusy: 'replace' });
  expect((await replaced.outcome).kind).toBe('cancelled');
  expect([first.ahead, second.ahead]).toEqual([0, 1]);
  gate.resolve();
  expect(await turn.text()).toBe('echo: c');
});

test('a turn that the CLI started counts: it is interrupted, or the message is rejected', async () => {
  const reached = deferred<void>();
  const own = unasked([act(() => reached.resolve()), hang()]);
  const { manager } = await emulatedManager({ scenarios: [[onUser('x', [done()]), own, ...echo]] });
  const talk = manager.conversation('one');
  const ended = deferred<string>();
  talk.on('unasked', ({ turn }) => void turn.outcome.then(({ kind }) => ended.resolve(kind)));
  await talk.send('x').outcome;
  await reached.promise;
  expect(() => talk.send('y', { whileBusy: 'reject' })).toThrow(
    expect.objectContaining({ code: 'CONVERSATION_BUSY' }),
  );
  expect(await talk.send('y', { whileBusy: 'interrupt' }).text()).toBe('echo: y');
  expect(await ended.promise).toBe('interrupted');
});

test('a turn that is stopped while it meets a usage limit does not wait for it', async () => {
  const gate = deferred<void>();
  const text = `limit reached|${Math.round(Date.now() / 1000) + 3_600}`;
  const limited = [
    onUser(undefined, [
      say('hm'),
      act(() => gate.promise),
      apiFailure({ error: 'rate_limit', status: 429, text }),
    ]),
  ];
  const { manager } = await emulatedManager({ scenarios: [limited] });
  const talk = manager.conversation('one');
  const turn = talk.send('x');
  await turn.began;
  const stopped = turn.stop();
  gate.resolve();
  await stopped;
  expect([talk.turns, talk.facts.limitUntil]).toEqual([[], undefined]);
});
