import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Journal } from '../../../../src/server/manager/store/journal.js';
import { MemoryValues } from '../../../../src/server/manager/store/memory-values.js';
import type { ValueStore } from '../../../../src/server/manager/store/value-store.js';
import { storeFolder } from '../../../support/manager.js';

/** What every store of a manager promises. */
const stores: readonly [string, () => ValueStore][] = [
  ['memory', () => new MemoryValues()],
  ['a file', () => new Journal(join(storeFolder(), 'values.jsonl'))],
];

describe.each(stores)('values in %s', (_name, open) => {
  test('have the last value of each key, in order of the first', () => {
    const store = open();
    store.set('a', 1);
    store.note('b', { n: 2 });
    store.remember('c', [3]);
    store.set('a', 4);
    expect([...store.values]).toEqual([
      ['a', 4],
      ['b', { n: 2 }],
      ['c', [3]],
    ]);
  });

  test('forget a key that has no value any more', () => {
    const store = open();
    store.set('a', 1);
    store.set('b', 1);
    store.set('a', undefined);
    store.note('b', undefined);
    expect(store.values.size).toBe(0);
  });

  test('show changes that are made together as they are made', () => {
    const store = open();
    const seen: unknown[] = [];
    store.together(() => {
      store.note('a', 1);
      seen.push(store.values.get('a'));
      store.note('a', 2);
    });
    expect([...seen, store.values.get('a')]).toEqual([1, 2]);
  });

  test('keep the changes before an exception', () => {
    const store = open();
    const work = () => {
      store.note('a', 1);
      throw new Error('no');
    };
    expect(() => store.together(work)).toThrow('no');
    store.note('b', 2);
    expect([...store.values]).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });

  test('take nothing new once they are closed, but what has happened counts', () => {
    const store = open();
    store.set('a', 1);
    store.close();
    store.close();
    expect(() => store.set('a', 2)).toThrow(expect.objectContaining({ code: 'MANAGER_CLOSED' }));
    expect(store.values.get('a')).toBe(1);
    store.note('a', 3);
    expect(store.values.get('a')).toBe(3);
  });
});
