import * as z from 'zod';
import { isObject } from '../frames.js';

/** A deviation in a frame. */
export interface FrameIssue {
  /** The path: keys joined by dots, indexes in brackets; empty for the frame itself. */
  readonly path: string;
  /**
   * `missing`, `wrong-type` and `wrong-value` violate the schema; `unknown-key` and `unknown-value` are not in the
   * catalog yet; `unknown` is a request, message or event that is not in the catalog.
   */
  readonly problem: 'missing' | 'wrong-type' | 'wrong-value' | 'unknown-key' | 'unknown-value' | 'unknown';
}

/** Checks a value against a schema and reports every deviation, unknown keys included. Never throws. */
export function findIssues(schema: z.ZodType, value: unknown, path = ''): FrameIssue[] {
  const parsed = schema.safeParse(value);
  const broken = parsed.success ? [] : parsed.error.issues.map((issue) => describeIssue(issue, value, path));
  return [...broken, ...findUnknown(schema, value, path)];
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown, path: string): FrameIssue {
  const at = issue.path.reduce<string>((joined, key) => join(joined, key), path);
  return { path: at, problem: problemOf(issue, value) };
}

function problemOf(issue: z.core.$ZodIssue, value: unknown): FrameIssue['problem'] {
  if (valueAt(value, issue.path) === undefined) return 'missing';
  return issue.code === 'invalid_value' || isWrongKind(issue) ? 'wrong-value' : 'wrong-type';
}

// A discriminated union that does not recognise the value reports the discriminator.
function isWrongKind(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_union' && issue.errors.length === 0;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isObject(inner) ? inner[String(key)] : undefined;
  }, value);
}

function findUnknown(schema: z.core.$ZodType, value: unknown, path: string): FrameIssue[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return findUnknown(schema.def.innerType, value, path);
  }
  if (schema instanceof z.ZodObject) return isObject(value) ? unknownInObject(schema, value, path) : [];
  if (schema instanceof z.ZodRecord) return isObject(value) ? unknownInRecord(schema, value, path) : [];
  if (schema instanceof z.ZodUnion) return unknownInUnion(schema.options, value, path);
  if (!(schema instanceof z.ZodArray) || !Array.isArray(value)) return [];
  return value.flatMap((item, index) => findUnknown(schema.element, item, join(path, index)));
}

function unknownInObject(
  schema: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  path: string,
): FrameIssue[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const described = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
    if (described === undefined) return [{ path: join(path, key), problem: 'unknown-key' }];
    return findUnknown(described, inner, join(path, key));
  });
}

function unknownInRecord(
  schema: z.ZodRecord,
  value: Readonly<Record<string, unknown>>,
  path: string,
): FrameIssue[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    findUnknown(schema.valueType, inner, join(path, key)),
  );
}

function unknownInUnion(options: readonly z.core.$ZodType[], value: unknown, path: string): FrameIssue[] {
  const fitting = options.filter((option) => z.safeParse(option, value).success);
  const [first] = fitting;
  if (first === undefined) return [];
  if (first instanceof z.ZodCustom) return [{ path: join(path, 'type'), problem: 'unknown-value' }];
  if (first instanceof z.ZodString && options[0] instanceof z.ZodEnum) {
    return [{ path, problem: 'unknown-value' }];
  }
  const found = fitting.map((option) => findUnknown(option, value, path));
  return found.reduce((fewest, issues) => (issues.length < fewest.length ? issues : fewest));
}

function join(path: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? String(key) : `${path}.${String(key)}`;
}
