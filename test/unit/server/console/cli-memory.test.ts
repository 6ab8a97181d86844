import { expect, test } from 'vitest';
import { CliMemory } from '../../../../src/server/console/sessions/cli-memory.js';

const MIB = 1024 ** 2;
const MINUTE = 60_000;

function looks(memory: CliMemory) {
  return (minutes: number, mebi: number) =>
    memory.note({ bytes: mebi * MIB, processes: 1 }, { at: minutes * MINUTE, limit: 1_000 * MIB });
}

test('only a significant change is reported', () => {
  const memory = new CliMemory();
  const look = looks(memory);
  expect(look(0, 300)).toBe(true);
  expect(look(0.1, 303)).toBe(false);
  // Many small steps are one large one.
  expect(look(0.2, 306)).toBe(false);
  expect(look(0.3, 309)).toBe(true);
  expect(memory.view).toEqual({ bytes: 309 * MIB, processes: 1, growing: false, over: false });
});

test('a CLI that is loading does not grow, and one that keeps growing does', () => {
  const memory = new CliMemory();
  const look = looks(memory);
  look(0, 50);
  look(0.5, 300);
  look(1, 310);
  expect(memory.view?.growing).toBe(false);
  look(5, 380);
  expect(memory.view?.growing).toBe(false);
  look(9, 420);
  expect(memory.view?.growing).toBe(true);
  // A lot is not growth: it has been the same for the whole time span.
  look(12, 425);
  look(20, 430);
  expect(memory.view?.growing).toBe(false);
});

test('memory above the limit is reported, and no longer once it is below', () => {
  const memory = new CliMemory();
  const look = looks(memory);
  look(0, 1_000);
  expect(memory.view?.over).toBe(false);
  expect(look(1, 1_001)).toBe(true);
  expect(memory.view?.over).toBe(true);
  look(2, 1_000);
  expect(memory.view?.over).toBe(false);
});
