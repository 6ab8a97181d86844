import { expect, test } from 'vitest';
import { MessageReader } from '../../../../src/command/run/message-reader.js';
import type { Session } from '../../../../src/host/session/session.js';
import type { SessionEvents } from '../../../../src/host/session/session-events.js';
import type { CliMessage } from '../../../../src/wire/protocol/catalog/types.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';
import { AsyncQueue } from '../../../../src/wire/util/async-queue.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { Listeners } from '../../../../src/wire/util/listeners.js';

/** The two members of a session that the reader uses. */
function fakeSession() {
  const queue = new AsyncQueue<CliMessage>(100);
  const listeners = new Listeners<SessionEvents>();
  const session: Pick<Session, 'on' | 'messages'> = {
    on: (event, listener) => listeners.on(event, listener),
    messages: () => queue,
  };
  const deliver = (message: WireObject) => {
    queue.push(message as CliMessage);
    listeners.emit('message', message as CliMessage);
  };
  return { session, deliver, queue };
}

test('messages are consumed in order, at the consumer’s pace', async () => {
  const { session, deliver } = fakeSession();
  const gate = deferred<void>();
  const taken: unknown[] = [];
  const reader = new MessageReader(session, async ({ number }) => {
    await gate.promise;
    taken.push(number);
  });
  for (const number of [1, 2, 3]) deliver({ number });
  const caughtUp = reader.caughtUp();
  gate.resolve();
  await caughtUp;
  expect(taken).toEqual([1, 2, 3]);
});

test('a caller waits for messages received so far, and not for later ones', async () => {
  const { session, deliver } = fakeSession();
  const gates = [deferred<void>(), deferred<void>()];
  const reader = new MessageReader(session, async ({ number }) => gates[Number(number)]?.promise);
  deliver({ number: 0 });
  const first = reader.caughtUp();
  deliver({ number: 1 });
  gates[0]?.resolve();
  await expect(first).resolves.toBeUndefined();
});

test('nobody waits if nothing is outstanding', async () => {
  await expect(new MessageReader(fakeSession().session, async () => {}).caughtUp()).resolves.toBeUndefined();
});

test('a session that fails ends the waits, without its own error', async () => {
  const failing = {
    on: () => () => {},
    // biome-ignore lint/correctness/useYield: a stream that fails before its first message
    messages: async function* (): AsyncGenerator<CliMessage> {
      throw new Error('the CLI died');
    },
  };
  const reader = new MessageReader(failing, async () => {});
  await expect(reader.done).resolves.toBeUndefined();
  await expect(reader.caughtUp()).resolves.toBeUndefined();
});
