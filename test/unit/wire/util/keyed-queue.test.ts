import { expect, test } from 'vitest';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { KeyedQueue } from '../../../../src/wire/util/keyed-queue.js';

test('jobs of one key run in order, even after a failure; others do not wait', async () => {
  const queue = new KeyedQueue();
  const gate = deferred<void>();
  const ran: string[] = [];
  const first = queue.run('a', async () => {
    await gate.promise;
    ran.push('first');
    throw new Error('broke');
  });
  const second = queue.run('a', async () => ran.push('second'));
  await queue.run('b', async () => ran.push('other'));
  expect(ran).toEqual(['other']);
  gate.resolve();
  await expect(first).rejects.toThrow('broke');
  await second;
  expect(ran).toEqual(['other', 'first', 'second']);
});
