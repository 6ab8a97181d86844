import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AskedIds } from '../../../../src/host/mcp/asked-ids.js';

describe('ids of requests that a server makes', () => {
  test('are returned once', () => {
    const ids = new AskedIds();
    const wireId = ids.add(0);
    expect(ids.take(wireId)).toBe(0);
    expect(ids.take(wireId)).toBeUndefined();
    expect(ids.take(0)).toBeUndefined();
  });

  test('are withdrawn by the server’s own id', () => {
    const ids = new AskedIds();
    const wireId = ids.add(7);
    expect(ids.withdraw(8)).toBeUndefined();
    expect(ids.withdraw(7)).toBe(wireId);
    expect(ids.size).toBe(0);
  });

  test('never look like an id of the CLI, and never like each other', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.integer(), fc.string()), { maxLength: 100 }), (serverIds) => {
        const ids = new AskedIds();
        const wireIds = serverIds.map((id) => ids.add(id));
        expect(new Set(wireIds).size).toBe(serverIds.length);
        expect(wireIds.some((id) => Number.isFinite(Number(id)))).toBe(false);
        expect(wireIds.toReversed().map((id) => ids.take(id))).toEqual(serverIds.toReversed());
      }),
    );
  });

  test('are forgotten, the oldest first, if a CLI never answers', () => {
    const ids = new AskedIds();
    const first = ids.add('first');
    const rest = Array.from({ length: 1_000 }, (_, index) => ids.add(index));
    expect(ids.size).toBe(1_000);
    expect(ids.take(first)).toBeUndefined();
    expect(ids.take(rest[0] ?? '')).toBe(0);
  });
});
