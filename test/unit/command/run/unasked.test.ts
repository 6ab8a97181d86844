import { expect, test } from 'vitest';
import { UnaskedTurns } from '../../../../src/command/run/unasked.js';
import { MessageBuffer } from '../../../../src/host/core/messages/message-buffer.js';
import type { Session } from '../../../../src/host/session/session.js';
import type { SessionEvents } from '../../../../src/host/session/session-events.js';
import type { TurnOutcome } from '../../../../src/host/session/turns/outcome.js';
import { SessionTurn } from '../../../../src/host/session/turns/turn.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { Listeners } from '../../../../src/wire/util/listeners.js';

function setUp(view = { onlyShellsLeft: false }) {
  const listeners = new Listeners<SessionEvents>();
  const settled = deferred<void>();
  const session: Pick<Session, 'state' | 'on' | 'settled'> = {
    state: 'ready',
    on: (event, listener) => listeners.on(event, listener),
    settled: () => settled.promise,
  };
  return {
    turns: new UnaskedTurns(session, view),
    begin: (turn: SessionTurn) => listeners.emit('unasked', turn),
    settled,
  };
}

function newTurn(): SessionTurn {
  const ignore = { added: () => {}, removed: () => {}, full: () => {}, drained: () => {} };
  const buffer = new MessageBuffer({ messages: 10, characters: 1_000 }, ignore);
  return new SessionTurn({
    userMessageId: undefined,
    userMessage: undefined,
    buffer,
    partial: false,
    onStream: () => {},
    cancel: async () => false,
    stop: async () => {},
  });
}

const follow = (turn: { readonly outcome: Promise<TurnOutcome> }) => turn.outcome;

test('without remaining work there is no further outcome', async () => {
  const { turns, settled } = setUp();
  settled.resolve();
  expect(await turns.follow(follow)).toBeUndefined();
});

test('turns are followed one after the other, and the last one counts', async () => {
  const { turns, begin, settled } = setUp();
  const [first, second] = [newTurn(), newTurn()];
  const outcome = turns.follow(follow);
  begin(first);
  first.settle({ kind: 'success', text: 'one' });
  await first.outcome;
  begin(second);
  second.settle({ kind: 'success', text: 'two' });
  settled.resolve();
  expect(await outcome).toMatchObject({ text: 'two' });
});

test('a turn that began earlier is not lost', async () => {
  const { turns, begin, settled } = setUp();
  const turn = newTurn();
  begin(turn);
  turn.settle({ kind: 'success', text: 'early' });
  settled.resolve();
  expect(await turns.follow(follow)).toMatchObject({ text: 'early' });
});

test('shells that keep running are not waited for', async () => {
  const { turns } = setUp({ onlyShellsLeft: true });
  expect(await turns.follow(follow)).toBeUndefined();
});
