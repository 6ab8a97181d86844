import { expect, test } from 'vitest';
import { ManagedTurn } from '../../../../src/server/manager/conversations/managed-turn.js';
import { MessageList } from '../../../../src/server/manager/conversations/message-list.js';
import { openStore } from '../../../../src/server/manager/store/conversation-store.js';
import type { MessageRecord } from '../../../../src/server/manager/store/record.js';
import { storeFolder } from '../../../support/manager.js';

/** Messages that count how often somebody looks at their order. */
function messages(count: number) {
  const looks = { at: 0 };
  const message = (n: number): MessageRecord => ({
    id: `m${n}`,
    conversation: 'one',
    input: 'x',
    state: 'held',
    resend: true,
    get order() {
      looks.at += 1;
      return n;
    },
  });
  return { looks, all: Array.from({ length: count }, (_, n) => message(n)) };
}

test('a message is added to many without sorting all of them', () => {
  const { looks, all } = messages(1_000);
  const list = new MessageList();
  for (const record of all)
    list.insert({
      record,
      orphaned: false,
      fresh: false,
      begun: false,
      heard: false,
      awaitedLogin: false,
      turn: new ManagedTurn(record.id, () => false),
    });
  expect(list.all.map(({ record }) => record.id)).toEqual(all.map(({ id }) => id));
  expect(looks.at).toBeLessThan(5_000);
});

test('a message is stored with many others without sorting all of them', () => {
  const { looks, all } = messages(1_000);
  const store = openStore(storeFolder());
  for (const record of all) store.saveMessage(record);
  for (const record of all) store.noteMessage(record);
  expect(store.messagesOf('one').map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect(looks.at).toBeLessThan(10_000);
  store.close();
});
