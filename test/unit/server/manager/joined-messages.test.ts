import { expect, test } from 'vitest';
import { MessageBuffer } from '../../../../src/host/core/messages/message-buffer.js';
import { JoinedMessages } from '../../../../src/server/manager/conversations/joined-messages.js';

const limits = { messages: 10, characters: 1_000 };
const watcher = { added: () => {}, removed: () => {}, full: () => {}, drained: () => {} };

/** The messages of a CLI that has ended, or is still running. */
function messagesOf(cli: number, isOver = true): MessageBuffer {
  const buffer = new MessageBuffer(limits, watcher);
  buffer.push({ cli }, 10);
  if (isOver) buffer.end();
  return buffer;
}

async function rest(joined: JoinedMessages): Promise<unknown[]> {
  const read = [];
  for await (const { cli } of joined) read.push(cli);
  return read;
}

test('of many CLIs that nobody read, the last few are kept', async () => {
  const joined = new JoinedMessages();
  const parts = Array.from({ length: 100 }, (_, cli) => messagesOf(cli, cli < 99));
  for (const part of parts) joined.add(part);
  expect(parts.filter(({ dropped }) => dropped === 0)).toHaveLength(4);
  parts.at(-1)?.push({ cli: 'the last one' }, 10);
  parts.at(-1)?.end();
  joined.finish();
  expect(await rest(joined)).toEqual([96, 97, 98, 99, 'the last one']);
});

test('the CLI that is being read is never dropped', async () => {
  const joined = new JoinedMessages();
  const reader = joined[Symbol.asyncIterator]();
  const first = messagesOf(0, false);
  joined.add(first);
  expect(await reader.next()).toMatchObject({ value: { cli: 0 } });
  for (let cli = 1; cli < 100; cli += 1) joined.add(messagesOf(cli));
  first.push({ cli: 'still 0' }, 10);
  expect(await reader.next()).toMatchObject({ value: { cli: 'still 0' } });
  await reader.return?.();
});
