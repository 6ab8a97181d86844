import { describe, expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { act } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { type Deferred, deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager } from '../../../support/manager.js';
import { settle } from '../../../support/settle.js';

const always = { times: 'any' } as const;

/** A record of what is handed over that answers when the test says so. */
function slowRecord() {
  const asked: { readonly id: string; readonly answer: Deferred<boolean> }[] = [];
  const hand = (_name: string, { id }: { readonly id: string }) => {
    const answer = deferred<boolean>();
    asked.push({ id, answer });
    return answer.promise;
  };
  return { asked, hand };
}

describe('a manager that records what it hands over', () => {
  test('gives a CLI nothing before it is recorded', async () => {
    const { asked, hand } = slowRecord();
    const { manager } = await emulatedManager({ scenarios: [echo] }, {}, { hand });
    const turn = manager.conversation('one').send('a');
    await expect.poll(() => asked.length).toBe(1);
    await settle(20);
    expect(turn.receipt).toBe('held');
    asked[0]?.answer.resolve(true);
    expect(await turn.text()).toBe('echo: a');
  });

  test('keeps a message that may not be handed over, and asks again', async () => {
    const { asked, hand } = slowRecord();
    const { manager, clis } = await emulatedManager({ scenarios: [echo] }, {}, { hand });
    const turn = manager.conversation('one').send('a');
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.answer.resolve(false);
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.answer.resolve(true);
    expect(await turn.text()).toBe('echo: a');
    expect(clis()).toBe(1);
  });

  test('does not send what is cancelled meanwhile', async () => {
    const { asked, hand } = slowRecord();
    const { manager } = await emulatedManager({ scenarios: [echo] }, {}, { hand });
    const talk = manager.conversation('one');
    const turn = talk.send('a');
    await expect.poll(() => asked.length).toBe(1);
    expect(await turn.cancel()).toBe(true);
    asked[0]?.answer.resolve(true);
    const next = talk.send('b');
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.answer.resolve(true);
    expect(await next.text()).toBe('echo: b');
    expect((await turn.outcome).kind).toBe('cancelled');
  });

  test('lets messages join a running turn one after the other, in order, each once', async () => {
    const { asked, hand } = slowRecord();
    const gate = deferred<void>();
    const got: string[] = [];
    const scenario = [
      onUser('long', [act(() => gate.promise), say('long'), done()]),
      onUser(undefined, (text) => [act(() => void got.push(text)), say(text), done()], always),
    ];
    const { manager } = await emulatedManager({ scenarios: [scenario] }, {}, { hand });
    const talk = manager.conversation('one');
    const turns = ['long', 'b', 'c'].map((text) => talk.send(text, { whileBusy: 'join' }));
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.answer.resolve(true);
    await expect.poll(() => asked.length).toBe(2);
    await settle(20);
    expect(asked).toHaveLength(2);
    asked[1]?.answer.resolve(true);
    await expect.poll(() => turns[1]?.receipt).toBe('queued');
    await expect.poll(() => asked.length).toBe(3);
    expect(turns[2]?.receipt).toBe('held');
    // The turn that it wanted to join is over before that is recorded: it gets its own, and is asked about once more.
    gate.resolve();
    await turns[1]?.outcome;
    asked[2]?.answer.resolve(true);
    await expect.poll(() => asked.length).toBe(4);
    asked[3]?.answer.resolve(true);
    await turns[2]?.outcome;
    expect(got.sort()).toEqual(['b', 'c']);
    expect(asked.map(({ id }) => id)).toEqual([0, 1, 2, 2].map((at) => turns[at]?.userMessageId));
  });
});
