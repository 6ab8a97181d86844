import { describe, expect, test } from 'vitest';
import { MessageBuffer } from '../../../../../src/host/core/messages/message-buffer.js';

function makeBuffer(messages = 4, characters = 1000) {
  const calls: string[] = [];
  let held = 0;
  const buffer = new MessageBuffer(
    { messages, characters },
    {
      added: (length) => (held += length),
      removed: (length) => (held -= length),
      full: () => calls.push('full'),
      drained: () => calls.push('drained'),
    },
  );
  const push = (...names: string[]) => {
    for (const name of names) buffer.push({ type: name }, 10);
  };
  return { buffer, calls, push, held: () => held };
}

async function readAll(buffer: MessageBuffer): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const { type } of buffer) seen.push(type);
  return seen;
}

describe('MessageBuffer', () => {
  test('returns everything in order, then the end', async () => {
    const { buffer, push } = makeBuffer();
    push('a', 'b');
    buffer.end();
    expect(await readAll(buffer)).toEqual(['a', 'b']);
  });

  test('a waiting reader gets what arrives later', async () => {
    const { buffer, push } = makeBuffer();
    const reading = readAll(buffer);
    await null;
    push('a');
    await null;
    push('b');
    buffer.end();
    expect(await reading).toEqual(['a', 'b']);
  });

  test('before its first read it holds four times as much, and counts what it drops', async () => {
    const { buffer, push, calls } = makeBuffer(0.75);
    push('a', 'b', 'c', 'd', 'e');
    buffer.end();
    expect(buffer.dropped).toBe(2);
    expect(calls).not.toContain('full');
    expect(await readAll(buffer)).toEqual(['a', 'b', 'c']);
  });

  test('with a reader it requests a pause instead of dropping, and reports when there is room', async () => {
    const { buffer, push, calls, held } = makeBuffer(4);
    const reader = buffer[Symbol.asyncIterator]();
    const first = reader.next();
    push('a', 'b', 'c', 'd', 'e', 'f');
    await first;
    expect(calls).toContain('full');
    expect(buffer.dropped).toBe(0);
    calls.length = 0;
    for (let index = 0; index < 3; index += 1) await reader.next();
    expect(calls).toContain('drained');
    expect(held()).toBe(20);
  });

  test('is full by characters as well as by count', async () => {
    const { buffer, push } = makeBuffer(100, 7);
    push('a', 'b', 'c', 'd');
    expect(buffer.dropped).toBe(1);
  });

  test('leaving the loop drops the rest and everything that follows, and holds nothing', async () => {
    const { buffer, push, held } = makeBuffer();
    push('a', 'b', 'c');
    for await (const _message of buffer) break;
    push('d');
    expect(buffer.dropped).toBe(3);
    expect(held()).toBe(0);
  });

  test('an abnormal end throws after the remaining messages', async () => {
    const { buffer, push } = makeBuffer();
    push('a');
    const cause = new Error('gone');
    buffer.end(cause);
    const seen: unknown[] = [];
    await expect(async () => {
      for await (const { type } of buffer) seen.push(type);
    }).rejects.toBe(cause);
    expect(seen).toEqual(['a']);
  });

  test('refuses a second reader', async () => {
    const { buffer } = makeBuffer();
    buffer.end();
    await readAll(buffer);
    await expect(readAll(buffer)).rejects.toMatchObject({ code: 'READER_TAKEN' });
  });

  test('keeps the order of many messages', async () => {
    const { buffer, push } = makeBuffer(100_000, 10_000_000);
    const names = Array.from({ length: 5000 }, (_, index) => `m${index}`);
    const reading = readAll(buffer);
    push(...names);
    buffer.end();
    expect(await reading).toEqual(names);
  });

  test('concurrent reads get their messages in order, each once', async () => {
    const { buffer, push } = makeBuffer();
    const reader = buffer[Symbol.asyncIterator]();
    const reads = [reader.next(), reader.next(), reader.next()];
    push('a', 'b');
    buffer.end();
    expect(await Promise.all(reads)).toEqual([
      { value: { type: 'a' }, done: false },
      { value: { type: 'b' }, done: false },
      { value: undefined, done: true },
    ]);
    expect(await reader.next()).toEqual({ value: undefined, done: true });
  });

  test('a reader that leaves while it waits stops waiting', async () => {
    const { buffer, push, held } = makeBuffer();
    const reader = buffer[Symbol.asyncIterator]();
    const waiting = reader.next();
    expect(await reader.return?.()).toEqual({ value: undefined, done: true });
    expect(await waiting).toEqual({ value: undefined, done: true });
    push('a');
    expect([buffer.dropped, held()]).toEqual([1, 0]);
  });

  test('an abnormal end reaches the oldest waiting read, and ends the others', async () => {
    const { buffer } = makeBuffer();
    const reader = buffer[Symbol.asyncIterator]();
    const reads = Promise.allSettled([reader.next(), reader.next()]);
    const cause = new Error('gone');
    buffer.end(cause);
    expect(await reads).toMatchObject([{ reason: cause }, { value: { done: true } }]);
    expect(await reader.next()).toEqual({ value: undefined, done: true });
  });

  test('a message that a reader waits for is delivered and not buffered', async () => {
    const { buffer, push, calls, held } = makeBuffer(1);
    const reader = buffer[Symbol.asyncIterator]();
    const read = reader.next();
    push('a');
    expect([calls, held()]).toEqual([[], 0]);
    push('b');
    expect([calls, held()]).toEqual([['full'], 10]);
    expect(await read).toMatchObject({ value: { type: 'a' } });
    expect(await reader.next()).toMatchObject({ value: { type: 'b' } });
  });

  test('a reader that never began does not take the place', async () => {
    const { buffer, push } = makeBuffer();
    await buffer[Symbol.asyncIterator]().return?.();
    push('a');
    buffer.end();
    expect(await readAll(buffer)).toEqual(['a']);
  });
});
