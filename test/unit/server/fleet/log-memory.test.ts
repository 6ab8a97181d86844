import { describe, expect, test } from 'vitest';
import { LogMemory } from '../../../../src/server/fleet/log/log-memory.js';

const KB = 1024;
const MB = 1024 * KB;

describe('memory for the logs that a gateway follows', () => {
  test('is half a megabyte of characters for one log', () => {
    const memory = new LogMemory();
    expect(memory.share).toBe(512 * KB);
    follow(memory, 60);
    expect(memory.share).toBe(512 * KB);
  });

  test('is divided when there are many', () => {
    const memory = new LogMemory();
    follow(memory, 1_024);
    expect(memory.share).toBe((32 * MB) / 1_024);
  });

  test('always leaves room for a few events', () => {
    const memory = new LogMemory();
    follow(memory, 10_000);
    expect(memory.share).toBe(16 * KB);
  });

  test('counts a log once, until it is no longer followed', () => {
    const memory = new LogMemory();
    const [first, ...rest] = follow(memory, 128);
    memory.add(first ?? {});
    expect(memory.share).toBe((32 * MB) / 128);
    for (const log of rest) memory.delete(log);
    expect(memory.share).toBe(512 * KB);
  });
});

function follow(memory: LogMemory, count: number): object[] {
  const logs = Array.from({ length: count }, () => ({}));
  for (const log of logs) memory.add(log);
  return logs;
}
