import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergedShape, shapeDifferences, shapeOf } from '../../../../src/lab/conformance/shape.js';

describe('shapeOf', () => {
  test('keeps keys in order and type names, and no content', () => {
    expect(shapeOf({ b: 1, a: 'secret', c: null, d: true })).toEqual({
      a: 'string',
      b: 'number',
      c: 'null',
      d: 'boolean',
    });
  });

  test('describes what the items of a list share', () => {
    expect(shapeOf([{ a: 1, b: 'x' }, { a: null }])).toEqual([{ a: 'null|number', 'b?': 'string' }]);
  });

  test('does not keep keys that are data', () => {
    const usage = { 'model-1': { cost: 1 }, 'model-2': { cost: 2, more: 3 } };
    expect(shapeOf({ modelUsage: usage })).toEqual({
      modelUsage: { '*': { cost: 'number', 'more?': 'number' } },
    });
    expect(shapeOf({ modelUsage: {} })).toEqual({ modelUsage: {} });
  });

  test('calls a list next to a plain value mixed', () => {
    expect(shapeOf([[1], 'x'])).toEqual(['mixed']);
  });
});

describe('shapeDifferences', () => {
  test('finds none between a value and itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(shapeDifferences(shapeOf(value), shapeOf(value))).toEqual([]);
      }),
    );
  });

  test('names the paths that differ, and the side that has more', () => {
    const one = shapeOf({ a: { b: 1, c: 'x' }, d: [] });
    const other = shapeOf({ a: { b: 'one' }, d: [], e: true });
    expect(shapeDifferences(one, other)).toEqual([
      'a.b',
      'a.c (only in the first)',
      'e (only in the second)',
    ]);
  });

  test('compares only what both sides show', () => {
    expect(shapeDifferences(shapeOf([]), shapeOf([{ a: 1 }]))).toEqual([]);
    expect(shapeDifferences(shapeOf({ errors: {} }), shapeOf({ errors: { x: 'y' } }))).toEqual([]);
    expect(shapeDifferences(shapeOf([{ a: 1 }, {}]), shapeOf([{}]))).toEqual([]);
  });

  test('compares the items of lists', () => {
    expect(shapeDifferences(shapeOf({ a: [{ b: 1 }] }), shapeOf({ a: [{ b: 'x' }] }))).toEqual(['a[].b']);
  });

  test('reports if the whole value differs', () => {
    expect(shapeDifferences('string', { a: 'string' })).toEqual(['the whole']);
  });
});

test('mergedShape makes keys optional that one side lacks, in any order', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const [left, right] = [shapeOf(one), shapeOf(other)];
      expect(mergedShape(left, right)).toEqual(mergedShape(right, left));
    }),
  );
  expect(mergedShape({ a: 'string' }, { b: 'string' })).toEqual({ 'a?': 'string', 'b?': 'string' });
});
