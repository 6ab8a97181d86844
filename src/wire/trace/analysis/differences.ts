import { isObject } from '../../protocol/frames.js';

/** A difference between two values; undefined means missing. */
export interface Difference {
  /** Keys joined by dots, indexes in brackets; empty for the value itself. */
  readonly path: string;
  /** The recorded value. */
  readonly expected: unknown;
  /** The actual value. */
  readonly got: unknown;
}

/** Lists every place where two JSON values differ. */
export function findDifferences(expected: unknown, got: unknown, path = ''): readonly Difference[] {
  if (Array.isArray(expected) && Array.isArray(got)) return inLists(expected, got, path);
  if (isObject(expected) && isObject(got)) return inObjects(expected, got, path);
  return Object.is(expected, got) ? [] : [{ path, expected, got }];
}

/** Formats differences as text, two lines each below their path. */
export function formatDifferences(
  differences: readonly Difference[],
  { expected = 'expected', got = 'got' } = {},
): string {
  const width = Math.max(expected.length, got.length);
  return differences
    .map(({ path, ...sides }) =>
      [
        `  ${path === '' ? '(the whole)' : path}`,
        `    ${expected.padEnd(width)} ${shown(sides.expected)}`,
        `    ${got.padEnd(width)} ${shown(sides.got)}`,
      ].join('\n'),
    )
    .join('\n');
}

function inLists(expected: readonly unknown[], got: readonly unknown[], path: string): readonly Difference[] {
  const length = Math.max(expected.length, got.length);
  return Array.from({ length }, (_, index) =>
    findDifferences(expected[index], got[index], `${path}[${index}]`),
  ).flat();
}

function inObjects(
  expected: Readonly<Record<string, unknown>>,
  got: Readonly<Record<string, unknown>>,
  path: string,
): readonly Difference[] {
  const keys = new Set([...Object.keys(expected), ...Object.keys(got)]);
  return [...keys].flatMap((key) =>
    findDifferences(expected[key], got[key], path === '' ? key : `${path}.${key}`),
  );
}

const LONGEST = 300;

function shown(value: unknown): string {
  if (value === undefined) return '(not there)';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters)`;
}
