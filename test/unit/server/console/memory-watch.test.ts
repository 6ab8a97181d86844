import { expect, test } from 'vitest';
import { CliMemory } from '../../../../src/server/console/sessions/cli-memory.js';
import { type HasMemory, MemoryWatch } from '../../../../src/server/console/sessions/memory-watch.js';
import type { ReadTreeMemory } from '../../../../src/wire/transport/process/process-memory.js';
import { ManualClock } from '../../../support/manual-clock.js';

const EVERY_MS = 5_000;

function setUp(read: ReadTreeMemory, pids: readonly (number | undefined)[] = [7]) {
  const clock = new ManualClock();
  const sessions: HasMemory[] = pids.map((pid) => ({ pid, memory: new CliMemory() }));
  const told: HasMemory[] = [];
  const watch = new MemoryWatch({
    sessions: () => sessions,
    clock,
    limit: 100,
    onChange: (session) => told.push(session),
    read,
  });
  return { clock, sessions, told, watch };
}

test('nothing is read unless somebody watches, and not after everybody has left', async () => {
  const read: number[][] = [];
  const { clock, told, sessions, watch } = setUp(
    async (pids) => {
      read.push([...pids]);
      return new Map([[7, { bytes: read.length * 60, processes: 1 }]]);
    },
    [7, undefined],
  );
  clock.advance(EVERY_MS);
  expect(read).toEqual([]);
  watch.watched = true;
  await expect.poll(() => clock.size).toBe(1);
  clock.advance(EVERY_MS);
  await expect.poll(() => told.length).toBe(2);
  expect(read).toEqual([[7], [7]]);
  expect(sessions[0]?.memory?.view).toMatchObject({ bytes: 120, over: true });
  watch.watched = false;
  await expect.poll(() => clock.size).toBe(0);
  clock.advance(EVERY_MS);
  expect(read).toHaveLength(2);
});

test('an unreadable process list is read again at the next interval, and readings do not overlap', async () => {
  let failures = 0;
  const { clock, told, watch } = setUp(async () => {
    failures += 1;
    throw new Error('hidden');
  });
  watch.watched = true;
  watch.watched = false;
  watch.watched = true;
  await expect.poll(() => clock.size).toBe(1);
  expect(failures).toBe(1);
  clock.advance(EVERY_MS);
  await expect.poll(() => clock.size).toBe(1);
  expect(failures).toBe(2);
  expect(told).toEqual([]);
});
