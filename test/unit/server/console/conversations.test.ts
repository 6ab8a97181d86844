import { expect, test } from 'vitest';
import type { LogEvent } from '../../../../src/entry/remote/contract.js';
import type { ReceivedEvent } from '../../../../src/entry/remote/received-event.js';
import type { Conversations } from '../../../../src/server/console/service/conversations.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { consoleService } from '../../../support/console-service.js';
import { spokenConversation } from '../../../support/spoken-conversation.js';

const isResult = (event: LogEvent) => event.kind === 'line' && event.frame?.type === 'result';

/** Follows a conversation from its start; resolves to the numbers of its events when a turn is over. */
async function untilResult(conversations: Conversations, session: string): Promise<readonly number[]> {
  const numbers: number[] = [];
  const over = deferred<void>();
  const onEvent = ({ event, n }: ReceivedEvent) => {
    numbers.push(n);
    if (isResult(event)) over.resolve();
  };
  const stop = await conversations.follow(session, 0, { onEvent });
  await over.promise;
  stop();
  return numbers;
}

test('conversations are opened, listed, talked to and followed without a socket', async () => {
  const { conversations, root } = await consoleService(spokenConversation);
  const { session } = await conversations.command('open', { cwd: root });
  expect(conversations.all.map(({ id }) => id)).toEqual([session]);
  const events = untilResult(conversations, session);
  await conversations.command('send', { content: 'Are you back?' }, { session });
  const numbers = await events;
  expect(numbers[0]).toBe(1);
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  expect(await conversations.find(session)).toMatchObject({ cwd: root });
});

test('a conversation that does not exist can be neither found nor followed', async () => {
  const { conversations } = await consoleService(spokenConversation);
  const session = '00000000-0000-4000-8000-000000000000';
  await expect(conversations.find(session)).rejects.toMatchObject({ code: 'SESSION_UNKNOWN' });
  const following = conversations.follow(session, 0, { onEvent: () => {} });
  await expect(following).rejects.toMatchObject({ code: 'SESSION_UNKNOWN' });
});

test('a caller that gives up does not wait for its command, and the command ends', async () => {
  const { conversations, root } = await consoleService(spokenConversation);
  const { session } = await conversations.command('open', { cwd: root });
  const controller = new AbortController();
  const { signal } = controller;
  const asked = conversations.command('contextUsage', {}, { session, signal });
  controller.abort();
  await expect(asked).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
  await expect(conversations.command('folders', {}, { signal })).rejects.toThrow();
});

test('a watcher learns which conversations were removed, and that the server is gone', async () => {
  const { conversations, root, loseClients } = await consoleService(spokenConversation);
  const { session } = await conversations.command('open', { cwd: root });
  const removed: string[] = [];
  const lost = deferred<Error>();
  const unwatch = conversations.watch({
    onRemoved: (id) => removed.push(id),
    onLost: (error) => {
      lost.resolve(error);
      unwatch();
    },
  });
  await conversations.command('close', {}, { session });
  await conversations.command('remove', {}, { session });
  expect(removed).toEqual([session]);
  await loseClients();
  expect(await lost.promise).toMatchObject({ code: 'REMOTE_LOST' });
});

test('a link stops reading while it is paused, and then continues where it was', async () => {
  const { conversations, root } = await consoleService(spokenConversation);
  const { session } = await conversations.command('open', { cwd: root });
  const link = conversations.connect();
  const numbers: number[] = [];
  const over = deferred<void>();
  const attached = deferred<void>();
  link.attach(session, -1, {
    onAttached: () => {
      link.pause();
      attached.resolve();
    },
    onEvent: ({ event, n }) => {
      numbers.push(n);
      if (isResult(event)) over.resolve();
    },
  });
  await attached.promise;
  const before = (await conversations.find(session)).last;
  const whole = untilResult(conversations, session);
  await link.command('send', { content: 'Are you back?' }, { session });
  await whole;
  expect(numbers).toEqual([]);
  link.resume();
  await over.promise;
  expect(numbers[0]).toBe(before + 1);
  await link.close();
  expect(link.connected).toBe(false);
});
