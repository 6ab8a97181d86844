import { expect, test } from 'vitest';
import { Saving } from '../../../../src/server/console/sessions/saving.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { ManualClock } from '../../../support/manual-clock.js';

test('saves pending changes at the end, and nothing after that', async () => {
  const clock = new ManualClock();
  const saved: string[] = [];
  const gate = deferred<void>();
  const saving = new Saving({
    clock,
    save: async (id) => {
      await gate.promise;
      saved.push(id);
    },
  });
  saving.changed('a');
  saving.changed('a');
  saving.changed('b');
  let isOver = false;
  const finishing = saving.finish().then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect(isOver).toBe(false);
  gate.resolve();
  await finishing;
  expect(saved).toEqual(['a', 'b', 'a']);
  saving.changed('c');
  clock.advance(10_000);
  await Promise.resolve();
  expect(saved).toEqual(['a', 'b', 'a']);
  expect(clock.size).toBe(0);
});
