import { isObject } from '../../wire/protocol/frames.js';

/** The structure of a value without its contents: a type name, keys with shapes, or the common shape of list items. */
export type Shape = string | { readonly [key: string]: Shape } | readonly Shape[];

/** Returns the shape of a value. A key that some items of a list lack ends with `?`; keys that are data become `*`. */
export function shapeOf(value: unknown, key = ''): Shape {
  if (value === null) return 'null';
  if (Array.isArray(value))
    return value.length === 0 ? [] : [value.map((item) => shapeOf(item)).reduce(mergedShape)];
  if (!isObject(value)) return typeof value;
  if (DATA_KEYS.has(key)) return dataShape(value);
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((each) => [each, shapeOf(value[each], each)]));
}

/**
 * Returns the differences of two shapes, as paths; an empty list means none. Parts that one side shows too little of
 * are not compared.
 */
export function shapeDifferences(one: Shape, other: Shape, path = ''): readonly string[] {
  if (isList(one) && isList(other)) {
    const [first, second] = [one[0], other[0]];
    if (first === undefined || second === undefined) return [];
    return shapeDifferences(first, second, `${path}[]`);
  }
  if (isKeyed(one) && isKeyed(other)) return keyDifferences(one, other, path);
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [path || 'the whole'];
}

/** Objects whose keys are names: models, servers, files. */
const DATA_KEYS = new Set([
  'modelUsage',
  'model_usage',
  'model_usage_since_last_result',
  'errors',
  'by_type',
  'tool_input',
]);

function dataShape(value: Readonly<Record<string, unknown>>): Shape {
  const items = Object.values(value).map((item) => shapeOf(item));
  return items.length === 0 ? {} : { '*': items.reduce(mergedShape) };
}

/** The common part of two shapes; a key that one lacks becomes optional. */
export function mergedShape(one: Shape, other: Shape): Shape {
  if (isList(one) && isList(other)) {
    const items = [...one, ...other];
    return items.length === 0 ? [] : [items.reduce(mergedShape)];
  }
  if (isKeyed(one) && isKeyed(other)) return mergedKeys(one, other);
  // A list or an object next to a plain value cannot be merged any further.
  if (typeof one !== 'string' || typeof other !== 'string') return 'mixed';
  return [...new Set([...one.split('|'), ...other.split('|')])].toSorted().join('|');
}

type Keyed = { readonly [key: string]: Shape };

function mergedKeys(one: Keyed, other: Keyed): Shape {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)].map(bare))].toSorted();
  const entries = names.map((name): [string, Shape] => {
    const [left, right] = [find(one, name), find(other, name)];
    const optional = left === undefined || right === undefined || `${name}?` in one || `${name}?` in other;
    const shape = left === undefined ? right : right === undefined ? left : mergedShape(left, right);
    return [optional ? `${name}?` : name, shape ?? 'undefined'];
  });
  return Object.fromEntries(entries);
}

function keyDifferences(one: Keyed, other: Keyed, path: string): readonly string[] {
  if (isEmptyData(one, other)) return [];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)].map(bare))];
  return names.flatMap((name) => {
    const [left, right] = [find(one, name), find(other, name)];
    const where = path === '' ? name : `${path}.${name}`;
    if (left !== undefined && right !== undefined) return shapeDifferences(left, right, where);
    const optional = `${name}?` in one || `${name}?` in other;
    return optional ? [] : [`${where} (only in the ${left === undefined ? 'second' : 'first'})`];
  });
}

/** A record without entries says nothing about its values. */
function isEmptyData(one: Keyed, other: Keyed): boolean {
  return ('*' in one && Object.keys(other).length === 0) || ('*' in other && Object.keys(one).length === 0);
}

function find(shape: Keyed, name: string): Shape | undefined {
  return shape[name] ?? shape[`${name}?`];
}

function bare(key: string): string {
  return key.endsWith('?') ? key.slice(0, -1) : key;
}

function isList(shape: Shape): shape is readonly Shape[] {
  return Array.isArray(shape);
}

function isKeyed(shape: Shape): shape is Keyed {
  return typeof shape === 'object' && !Array.isArray(shape);
}
