import { expect, test } from 'vitest';
import { AsyncQueue } from '../../../../src/wire/util/async-queue.js';

test('above its limit the oldest entry is dropped; the rest is read, then the end', async () => {
  const queue = new AsyncQueue<number>(2);
  for (const entry of [1, 2, 3]) queue.push(entry);
  queue.end();
  queue.push(4);
  const seen: number[] = [];
  for await (const entry of queue) seen.push(entry);
  expect(seen).toEqual([2, 3]);
});

test('each entry goes to one of several readers, and all of them see the end', async () => {
  const queue = new AsyncQueue<number>(2);
  const [one, two] = [queue[Symbol.asyncIterator](), queue[Symbol.asyncIterator]()];
  const reads = [one.next(), two.next(), one.next(), two.next()];
  queue.push(1);
  queue.push(2);
  queue.end();
  const values = (await Promise.all(reads)).map(({ value }) => value);
  expect(values.filter((value) => value !== undefined).toSorted()).toEqual([1, 2]);
});

test('a reader that leaves while it waits is skipped', async () => {
  const queue = new AsyncQueue<number>(2);
  const [one, two] = [queue[Symbol.asyncIterator](), queue[Symbol.asyncIterator]()];
  const waiting = one.next();
  await one.return();
  expect(await waiting).toEqual({ value: undefined, done: true });
  queue.push(1);
  expect(await two.next()).toEqual({ value: 1, done: false });
});
