import { describe, expect, test } from 'vitest';
import { inOrder, type Wanted } from '../../../../src/server/fleet/placement/choose-worker.js';
import { ANYWHERE } from '../../../../src/server/fleet/record.js';

describe('conversations that need a worker', () => {
  test('with a higher priority come first', () => {
    expect(order([wanted('low', { priority: 0 }), wanted('high', { priority: 1 })])).toEqual(['high', 'low']);
  });

  test('that somebody asked for come before those of a lost worker', () => {
    expect(order([wanted('lost', { asked: [] }), wanted('asked', { since: 1 })])).toEqual(['asked', 'lost']);
  });

  test('that have waited longer come first', () => {
    expect(order([wanted('late', { since: 5 }), wanted('early', { since: 1 })])).toEqual(['early', 'late']);
  });

  test('that nobody asked for come first when they have waited long enough', () => {
    const lost = wanted('lost', { asked: [], since: 0 });
    const asked = wanted('asked', { since: 29_000 });
    expect(order([asked, lost], 30_000)).toEqual(['lost', 'asked']);
  });
});

function wanted(
  session: string,
  { priority = 0, since = 0, asked = ['a request'] }: { priority?: number } & Partial<Wanted>,
) {
  return { session, place: { ...ANYWHERE, priority }, since, asked };
}

function order(all: readonly Wanted[], now = 10): string[] {
  return inOrder(all, now).map(({ session }) => session);
}
