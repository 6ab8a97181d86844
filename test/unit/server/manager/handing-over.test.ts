import { describe, expect, test } from 'vitest';
import type { HandedEvent, LogEvent } from '../../../../src/entry/remote/contract.js';
import type { Turn } from '../../../../src/host/session/turns/turn.js';
import { onUser, type Scenario } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { act } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import type { ConversationUser } from '../../../../src/server/manager/conversations/conversation-user.js';
import { type Deferred, deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager } from '../../../support/manager.js';
import { settle } from '../../../support/settle.js';

const always = { times: 'any' } as const;

/** A conversation whose log is stored when the test says so: what was asked for, and what is in the log. */
async function slowlyStored(scenario: Scenario) {
  const { manager, clis } = await emulatedManager({ scenarios: [scenario] });
  const talk = manager.conversation('one');
  const events: LogEvent[] = [];
  const asked: { readonly id: string; readonly answer: Deferred<boolean> }[] = [];
  const user: ConversationUser = {
    mayWait: true,
    append: (event) => void events.push(event),
    whenStored: () => {
      const answer = deferred<boolean>();
      const handed = events.findLast(({ kind }) => kind === 'handed') as HandedEvent;
      asked.push({ id: handed.uuid, answer });
      return answer.promise;
    },
    launch: () => ({}),
    attached: () => {},
    changed: () => {},
    ended: () => {},
    prompted: () => {},
  };
  const host = manager.host('one');
  if (host !== undefined) host.user = user;
  /** What the log says about a message. */
  const saidOf = ({ userMessageId }: Turn) =>
    events.flatMap((event) => ('uuid' in event && event.uuid === userMessageId ? event.kind : []));
  return { talk, clis, asked, saidOf, events };
}

describe('a manager that records what it hands over', () => {
  test('gives a CLI nothing before it is recorded', async () => {
    const { talk, asked, saidOf } = await slowlyStored(echo);
    const turn = talk.send('a');
    expect(saidOf(turn)).toEqual(['queued']);
    await expect.poll(() => asked.length).toBe(1);
    await settle(20);
    expect(turn.receipt).toBe('held');
    expect(saidOf(turn)).toEqual(['queued', 'handed']);
    asked[0]?.answer.resolve(true);
    expect(await turn.text()).toBe('echo: a');
    expect(saidOf(turn)).toEqual(['queued', 'handed', 'begun', 'settled']);
  });

  test('keeps a message that may not be handed over, and asks again', async () => {
    const { talk, clis, asked } = await slowlyStored(echo);
    const turn = talk.send('a');
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.answer.resolve(false);
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.answer.resolve(true);
    expect(await turn.text()).toBe('echo: a');
    expect(clis()).toBe(1);
  });

  test('does not send what is cancelled meanwhile', async () => {
    const { talk, asked, saidOf } = await slowlyStored(echo);
    const turn = talk.send('a');
    await expect.poll(() => asked.length).toBe(1);
    expect(await turn.cancel()).toBe(true);
    asked[0]?.answer.resolve(true);
    const next = talk.send('b');
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.answer.resolve(true);
    expect(await next.text()).toBe('echo: b');
    expect((await turn.outcome).kind).toBe('cancelled');
    expect(saidOf(turn)).toEqual(['queued', 'handed', 'unqueued', 'settled']);
  });

  test('lets messages join a running turn one after the other, in order, each once', async () => {
    const gate = deferred<void>();
    const got: string[] = [];
    const scenario = [
      onUser('long', [act(() => gate.promise), say('long'), done()]),
      onUser(undefined, (text) => [act(() => void got.push(text)), say(text), done()], always),
    ];
    const { talk, asked } = await slowlyStored(scenario);
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
