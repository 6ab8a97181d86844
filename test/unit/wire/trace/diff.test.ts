import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { align } from '../../../../src/wire/trace/analysis/align.js';
import { findDifferences, formatDifferences } from '../../../../src/wire/trace/analysis/differences.js';
import { joinDeltas, noteFrames } from '../../../../src/wire/trace/analysis/frame-notes.js';
import { normalise } from '../../../../src/wire/trace/analysis/normalise.js';
import { traceLine } from '../../../../src/wire/trace/format.js';

describe('align', () => {
  test('keeps every item of both sides, in order, and pairs only equal names', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(names, names, (left, right) => {
        const pairs = align(left, right, (name) => name);
        expect(pairs.flatMap(({ left: item }) => item ?? [])).toEqual(left);
        expect(pairs.flatMap(({ right: item }) => item ?? [])).toEqual(right);
        for (const pair of pairs) {
          if (pair.left !== undefined && pair.right !== undefined) expect(pair.left).toBe(pair.right);
        }
      }),
    );
  });

  test('pairs as many as possible', () => {
    const paired = align([...'abcabba'], [...'cbabac'], (name) => name).filter(
      ({ left, right }) => left !== undefined && right !== undefined,
    );
    expect(paired).toHaveLength(4);
  });

  test('pairs very long lists by name and order', () => {
    const left = ['x', ...Array.from({ length: 3_000 }, (_, index) => `l${index}`), 'same'];
    const right = ['y', 'same', ...Array.from({ length: 3_000 }, (_, index) => `r${index}`)];
    const pairs = align(left, right, (name) => name);
    expect(pairs.filter((pair) => pair.left !== undefined && pair.right !== undefined)).toEqual([
      { left: 'same', right: 'same' },
    ]);
    expect(pairs).toHaveLength(left.length + right.length - 1);
  });
});

describe('differences', () => {
  test('are listed with their place, and readable', () => {
    const found = findDifferences({ a: [1, { b: 'x' }], gone: 1 }, { a: [1, { b: 'y' }, 3] });
    expect(found.map(({ path }) => path)).toEqual(['a[1].b', 'a[2]', 'gone']);
    expect(formatDifferences(found.slice(0, 2))).toBe(
      '  a[1].b\n    expected "x"\n    got      "y"\n  a[2]\n    expected (not there)\n    got      3',
    );
  });

  test('are none between a value and itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(findDifferences(value, value)).toEqual([]);
      }),
    );
  });
});

test('normalising replaces ids, uuids, times, folders and, on request, measurements', () => {
  const value = {
    request_id: 'req_1_ab',
    text: 'at 2026-01-01T10:00:00.000Z in /srv/x/y: toolu_01ABC 1f0c0d1e-1111-4222-8333-444455556666',
    duration_ms: 12,
    pid: 4711,
    path: '/run/4711.sock',
    n: 12,
    session_id: '',
  };
  expect(normalise(value, { paths: { '/srv/x': '<cwd>' }, measures: true })).toEqual({
    request_id: '<id>',
    text: 'at <time> in <cwd>/y: <toolu id> <uuid>',
    duration_ms: '<number>',
    pid: '<number>',
    path: '/run/<pid>.sock',
    n: 12,
    session_id: '',
  });
  expect(normalise({ duration_ms: 12 })).toEqual({ duration_ms: 12 });
});

test('pieces of a text are compared as a whole', () => {
  const delta = (text: string, index = 0) => ({
    type: 'stream_event',
    event: { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
  });
  const frames = [delta('a'), delta('b'), delta('c', 1), { type: 'result' }];
  const entries = frames.map((frame, at) => ({
    at,
    entry: traceLine({ kind: 'line', t: 0, from: 'cli', line: JSON.stringify(frame), frame }),
  }));
  expect(joinDeltas(noteFrames(entries)).map(({ frame }) => frame)).toEqual([
    delta('ab'),
    delta('c', 1),
    { type: 'result' },
  ]);
});
