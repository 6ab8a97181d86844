import { describe, expect, test } from 'vitest';
import { MessageBuffer } from '../../../../../src/host/core/messages/message-buffer.js';
import { kindOf } from '../../../../../src/host/core/messages/message-dispatcher.js';
import { outcomeOf } from '../../../../../src/host/session/turns/outcome.js';
import { SessionTurn } from '../../../../../src/host/session/turns/turn.js';
import { TurnQueue } from '../../../../../src/host/session/turns/turn-queue.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';

const idle = { added: () => {}, removed: () => {}, full: () => {}, drained: () => {} };

function makeTurn(userMessageId: string | undefined): SessionTurn {
  return new SessionTurn({
    userMessageId,
    userMessage: { type: 'user' },
    buffer: new MessageBuffer({ messages: 100, characters: 10_000 }, idle),
    partial: false,
    onStream: () => {},
    cancel: async () => false,
    stop: async () => {},
  });
}

function makeBook(reportsLifecycle: boolean) {
  const sent: (string | undefined)[] = [];
  const unasked: SessionTurn[] = [];
  const began: string[] = [];
  const book = new TurnQueue({
    send: (turn) => sent.push(turn.userMessageId),
    openUnasked: () => {
      const turn = makeTurn(undefined);
      unasked.push(turn);
      return turn;
    },
    onStoppedBegan: () => began.push('a stopped turn'),
    judge: (result, turns) => turns.map((turn) => outcomeOf(result, turn.evidence)),
  });
  const add = (id: string) => {
    const turn = makeTurn(id);
    book.add(turn);
    return turn;
  };
  const say = (...messages: WireObject[]) => {
    for (const message of messages) book.receive(message, 1, kindOf(message));
  };
  book.connect(reportsLifecycle);
  return { book, sent, unasked, began, add, say };
}

const init = (...uuids: string[]) => ({
  type: 'system',
  subtype: 'init',
  ...(uuids.length === 0 ? {} : { user_message_uuids: uuids }),
});
const life = (command_uuid: string, state: string) => ({ type: 'command_lifecycle', command_uuid, state });
const text = (word: string) => ({ type: 'assistant', word });
const done = (result: string, ...uuids: string[]) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result,
  ...(uuids.length === 0 ? {} : { user_message_uuids: uuids }),
});

async function words(turn: SessionTurn): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const message of turn) if (message.type === 'assistant') seen.push(message.word);
  return seen;
}

describe('a message that begins after its turn was stopped', () => {
  test.each([false, true])('is reported; the lifecycle is reported: %s', (reportsLifecycle) => {
    const { add, say, began } = makeBook(reportsLifecycle);
    add('a').settle({ kind: 'interrupted' });
    if (reportsLifecycle) say(life('a', 'started'));
    say(init('a'));
    expect(began).toEqual(['a stopped turn']);
  });

  test('is not reported if the CLI merged it with another, which goes on', () => {
    const { add, say, began } = makeBook(true);
    add('a');
    add('b').settle({ kind: 'interrupted' });
    say(life('a', 'started'), life('b', 'started'), init('a', 'b'));
    expect(began).toEqual([]);
  });
});

describe('a CLI that does not report on its messages (2.0.73, 2.1.17)', () => {
  test('gets one message at a time, each with its own result', async () => {
    const { add, say, sent } = makeBook(false);
    const [one, two] = [add('1'), add('2')];
    expect(sent).toEqual(['1']);
    expect([one.receipt, two.receipt]).toEqual(['queued', 'held']);
    say(init(), text('a'), done('first'));
    expect(sent).toEqual(['1', '2']);
    say(init(), text('b'), done('second'));
    expect(await one.text()).toBe('first');
    expect(await two.text()).toBe('second');
    expect(await words(one)).toEqual(['a']);
    expect(await words(two)).toEqual(['b']);
  });

  test('a result without system/init still ends the turn', async () => {
    const { add, say } = makeBook(false);
    const one = add('1');
    say(done('quick'));
    expect(await one.text()).toBe('quick');
  });

  test('a held message can be cancelled, a sent one cannot', async () => {
    const { book, add, say, sent } = makeBook(false);
    const [one, two, three] = [add('1'), add('2'), add('3')];
    expect(book.withdraw(one)).toBe(false);
    expect(book.withdraw(two)).toBe(true);
    expect((await two.outcome).kind).toBe('cancelled');
    expect(await two.began).toBe('cancelled');
    say(init(), done('x'));
    expect(sent).toEqual(['1', '3']);
    expect(three.receipt).toBe('queued');
  });
});

describe('a CLI that reports the lifecycle of each message (2.1.326)', () => {
  test('gets all messages at once; those it merges share one result', async () => {
    const { add, say, sent } = makeBook(true);
    const [one, two, three] = [add('1'), add('2'), add('3')];
    expect(sent).toEqual(['1', '2', '3']);
    say(
      life('1', 'queued'),
      life('1', 'started'),
      init('1'),
      text('a'),
      done('first', '1'),
      life('1', 'completed'),
    );
    say(life('2', 'started'), life('3', 'started'), init('2', '3'), text('b'), done('both', '2', '3'));
    expect([await one.text(), await two.text(), await three.text()]).toEqual(['first', 'both', 'both']);
    expect([await one.began, await two.began, await three.began]).toEqual(['started', 'started', 'merged']);
    expect(await words(three)).toEqual(['b']);
  });

  test('a message picked up during a turn is merged into it', async () => {
    const { add, say } = makeBook(true);
    const one = add('1');
    say(life('1', 'started'), init('1'), text('before'));
    const two = add('2');
    say(
      life('2', 'queued'),
      life('2', 'started'),
      text('after'),
      life('2', 'completed'),
      done('end', '1', '2'),
    );
    expect(await two.text()).toBe('end');
    expect(await two.began).toBe('merged');
    expect(await words(one)).toEqual(['before', 'after']);
    expect(await words(two)).toEqual(['after']);
  });

  test('a message cancelled in the queue ends its turn as cancelled', async () => {
    const { add, say } = makeBook(true);
    const [one, two] = [add('1'), add('2')];
    say(life('1', 'started'), init('1'), life('2', 'cancelled'), done('x', '1'));
    expect((await two.outcome).kind).toBe('cancelled');
    expect((await one.outcome).kind).toBe('success');
  });

  test('a turn that the CLI starts gets its own turn object', async () => {
    const { add, say, unasked } = makeBook(true);
    const one = add('1');
    say(life('1', 'started'), init('1'), done('asked', '1'));
    say(init(), text('by itself'), done('unasked'));
    expect(unasked).toHaveLength(1);
    const [own] = unasked;
    if (own === undefined) throw new Error('no unasked turn');
    expect(await words(own)).toEqual(['by itself']);
    expect(await own.text()).toBe('unasked');
    expect(await one.text()).toBe('asked');
  });

  test('a waiting message does not get the result of a turn that the CLI started', async () => {
    const { add, say } = makeBook(true);
    say(init());
    const one = add('1');
    say(life('1', 'queued'), done('unasked'));
    expect(one.receipt).toBe('queued');
    say(life('1', 'started'), init('1'), done('mine', '1'));
    expect(await one.text()).toBe('mine');
  });
});

test('a CLI that reports a newer version than it behaves like still ends its turns, in order', async () => {
  const { add, say } = makeBook(true);
  const [one, two] = [add('1'), add('2')];
  say(init(), text('a'), done('first'));
  say(init(), text('b'), done('second'));
  expect([await one.text(), await two.text()]).toEqual(['first', 'second']);
});

describe('when the CLI is gone', () => {
  test('every turn settles with the same cause; a reader gets the messages, then the error', async () => {
    const { book, add, say } = makeBook(false);
    const [one, two] = [add('1'), add('2')];
    say(init(), text('a'));
    const error = new Error('gone');
    book.disconnect({ kind: 'cli-ended', error }, { keepHeld: false });
    expect(await one.outcome).toEqual({ kind: 'cli-ended', error });
    expect(await two.outcome).toEqual({ kind: 'cli-ended', error });
    await expect(words(one)).rejects.toBe(error);
    expect(book.busy).toBe(false);
  });

  test('held messages can be kept, and are sent once to the next CLI', async () => {
    const { book, add, say, sent } = makeBook(false);
    add('1');
    const two = add('2');
    book.disconnect({ kind: 'closed' }, { keepHeld: true });
    expect(two.receipt).toBe('held');
    book.connect(true);
    expect(sent).toEqual(['1', '2']);
    say(life('2', 'started'), init('2'), done('late', '2'));
    expect(await two.text()).toBe('late');
  });
});

test('text() rejects with the outcome unless the turn succeeded', async () => {
  const { add, say } = makeBook(false);
  const one = add('1');
  say(init(), { type: 'result', subtype: 'error_max_turns', errors: ['too many'] });
  await expect(one.text()).rejects.toMatchObject({
    code: 'TURN_FAILED',
    outcome: { kind: 'max-turns' },
    message: /too many/,
  });
});
