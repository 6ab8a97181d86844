import { CoxswainError } from './errors.js';
import { nearestName } from './nearest-name.js';

/** The kind of a value: a test, and its description for errors and documentation. */
export interface OptionKind {
  /** Text that follows "must be": "a string", "one of a, b". */
  readonly expected: string;
  /** Whether a value is valid. */
  readonly accepts: (value: unknown) => boolean;
  /** For nested kinds: which part of a value is wrong, if known. */
  readonly fault?: (value: unknown) => OptionFault | undefined;
}

/** A problem inside a value, with its place. */
export interface OptionFault {
  /** The path after the option name: `.env.FOO`, `[0].run`. */
  readonly path: string;
  /** Text that follows the path and a colon. */
  readonly problem: string;
}

/** One entry of an option table. */
export interface OptionSpec {
  /** The kind of its value. */
  readonly kind: OptionKind;
  /** What the option does, in one sentence for the documentation. */
  readonly sentence: string;
}

/** A table of options by name. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** A rule about several options: returns the problem, or undefined. */
export interface OptionRule<Options> {
  /** The option that the error names. */
  readonly option: string;
  /** Text that follows the option name and a colon. */
  readonly problem: (options: Options) => string | undefined;
}

/** Thrown when an option is wrong. */
export class OptionError extends CoxswainError {
  /** The name of the option. */
  readonly option: string;
  /** The path of the problem: `hooks.PreToolUse[0].run`, or just the option name. */
  readonly path: string;

  constructor(option: string, message: string, path = option) {
    super('OPTION_INVALID', message);
    this.option = option;
    this.path = path;
  }
}

/** Names from other SDKs, with a hint for each. */
export type ForeignNames = Readonly<Record<string, string>>;

/**
 * Checks given options against a table and its rules; an option set to undefined counts as not given.
 * @throws OptionError for the first wrong type, unknown name or impossible combination.
 */
export function checkOptions<Options extends object>(
  specs: OptionSpecs,
  given: Options,
  rules: readonly OptionRule<Options>[] = [],
  foreign: ForeignNames = {},
): void {
  if (!isRecord(given)) {
    throw new OptionError('options', `The options must be an object, not ${describeValue(given)}.`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) checkOption(specs, name, value, foreign);
  }
  for (const { option, problem } of rules) {
    const text = problem(given);
    if (text !== undefined) throw new OptionError(option, `Option "${option}": ${text}`);
  }
}

/** Picks the options in a table from a larger set, leaving out those that are undefined. */
export function pickOptions<Name extends string, Given extends object>(
  specs: Readonly<Record<Name, OptionSpec>>,
  given: Given,
): Pick<Given, Extract<keyof Given, Name>> {
  const picked = { ...given };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(specs, name) || value === undefined) Reflect.deleteProperty(picked, name);
  }
  return picked;
}

/** The basic kinds of options. */
export const kinds = {
  text: kind('a string that is not empty', (value) => typeof value === 'string' && value !== ''),
  anyText: kind('a string', (value) => typeof value === 'string'),
  flag: kind('true or false', (value) => typeof value === 'boolean'),
  count: kind('a whole number, 0 or more', (value) => Number.isSafeInteger(value) && Number(value) >= 0),
  positiveCount: kind('a whole number above 0', (value) => Number.isSafeInteger(value) && Number(value) > 0),
  number: kind('a number', (value) => Number.isFinite(value)),
  positiveNumber: kind('a number above 0', (value) => Number.isFinite(value) && Number(value) > 0),
  uuid: kind('a UUID', (value) => typeof value === 'string' && UUID.test(value)),
  callback: kind('a function', (value) => typeof value === 'function'),
  record: kind('a plain object', isRecord),
  null: kind('null', (value) => value === null),
} as const satisfies Record<string, OptionKind>;

/** One of a fixed set of values. */
export function oneOf(...values: readonly string[]): OptionKind {
  const quoted = values.map((value) => `"${value}"`);
  return kind(`one of ${quoted.join(', ')}`, (value) => typeof value === 'string' && values.includes(value));
}

/** An array whose items all have one kind. */
export function listOf(item: OptionKind): OptionKind {
  return kind(
    `an array, each item ${item.expected}`,
    (value) => Array.isArray(value) && value.every((each) => item.accepts(each)),
    (value) => {
      if (!Array.isArray(value)) return undefined;
      const index = value.findIndex((each) => !item.accepts(each));
      return faultIn(item, value[index], `[${index}]`);
    },
  );
}

/** A plain object whose values all have one kind. */
export function recordOf(item: OptionKind): OptionKind {
  return kind(
    `a plain object, each value ${item.expected}`,
    (value) => isRecord(value) && Object.values(value).every((each) => item.accepts(each)),
    (value) => {
      if (!isRecord(value)) return undefined;
      const [name, each] = Object.entries(value).find(([, part]) => !item.accepts(part)) ?? [];
      return name === undefined ? undefined : faultIn(item, each, step(name));
    },
  );
}

/** More about a shape. */
export interface ShapeWords {
  /** Required keys. */
  readonly required?: readonly string[];
  /** Whether there may be others. Default: no. */
  readonly hasOthers?: boolean;
  /** Text that follows "must be"; by default the keys are listed. */
  readonly expected?: string;
  /** What a key is called: "key", "event". */
  readonly keyword?: string;
  /** Keys from other SDKs, with a hint for each. */
  readonly foreign?: ForeignNames;
}

/** A plain object with these keys, each of its own kind; by default with no others. */
export function shapeOf(keys: Readonly<Record<string, OptionKind>>, words: ShapeWords = {}): OptionKind {
  const listed = Object.entries(keys).map(([name, { expected }]) => `${name} (${expected})`);
  const fault = (value: unknown) => (isRecord(value) ? shapeFault(keys, value, words) : undefined);
  return kind(
    words.expected ?? `a plain object with no other keys than ${listed.join(', ')}`,
    (value) => isRecord(value) && fault(value) === undefined,
    fault,
  );
}

/** A plain object with keys that it must have, keys that it may have, and unknown ones, perhaps of another version. */
export function openShape(
  required: Readonly<Record<string, OptionKind>>,
  others: Readonly<Record<string, OptionKind>> = {},
): OptionKind {
  const words = { required: Object.keys(required), expected: 'an object', hasOthers: true };
  return shapeOf({ ...required, ...others }, words);
}

/** What is wrong with a stored value, in words; undefined if nothing is. */
export function faultOf(expected: OptionKind, value: unknown): string | undefined {
  if (expected.accepts(value)) return undefined;
  const { path = '', problem = `must be ${expected.expected}` } = expected.fault?.(value) ?? {};
  return `${path.replace(/^\./, '')}: ${problem}`;
}

function shapeFault(
  keys: Readonly<Record<string, OptionKind>>,
  value: Readonly<Record<string, unknown>>,
  { required = [], hasOthers = false, keyword = 'key', foreign = {} }: ShapeWords,
): OptionFault | undefined {
  for (const [name, each] of Object.entries(value)) {
    if (each === undefined) continue;
    const known = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (known === undefined && hasOthers) continue;
    if (known === undefined) return { path: step(name), problem: noSuch(keyword, name, keys, foreign) };
    if (!known.accepts(each)) return faultIn(known, each, step(name));
  }
  const missing = required.find((name) => value[name] === undefined);
  return missing === undefined ? undefined : { path: step(missing), problem: 'it is missing' };
}

function noSuch(keyword: string, name: string, keys: object, foreign: ForeignNames): string {
  const elsewhere = Object.hasOwn(foreign, name) ? foreign[name] : undefined;
  if (elsewhere !== undefined) return elsewhere;
  const near = nearestName(name, Object.keys(keys));
  return near === undefined ? `no such ${keyword}` : `no such ${keyword}; did you mean ${near}?`;
}

/** The problem of a value that its kind does not accept, with its place. */
function faultIn(of: OptionKind, value: unknown, at: string): OptionFault {
  const inner = of.fault?.(value);
  return inner === undefined
    ? { path: at, problem: `must be ${of.expected}, not ${describeValue(value)}` }
    : { path: `${at}${inner.path}`, problem: inner.problem };
}

/** A property path, as a program would write it. */
function step(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** A value of any of several kinds. */
export function either(...choices: readonly OptionKind[]): OptionKind {
  return kind(
    choices.map(({ expected }) => expected).join(', or '),
    (value) => choices.some(({ accepts }) => accepts(value)),
    // The alternative that the value looks like gives the best message.
    (value) => choices.map(({ fault }) => fault?.(value)).find((found) => found !== undefined),
  );
}

/** A custom kind, for shapes that the others do not cover. */
export function kind(
  expected: string,
  accepts: (value: unknown) => boolean,
  fault?: (value: unknown) => OptionFault | undefined,
): OptionKind {
  return fault === undefined ? { expected, accepts } : { expected, accepts, fault };
}

/** Whether a value is an object with keys: not null, not an array, not a class instance such as a Map. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm (vm, a test runner) have their own Object.prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function checkOption(specs: OptionSpecs, name: string, value: unknown, foreign: ForeignNames): void {
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (spec === undefined) {
    const elsewhere = Object.hasOwn(foreign, name)
      ? `There is no option "${name}": ${foreign[name]}`
      : undefined;
    throw new OptionError(name, elsewhere ?? unknownName(name, Object.keys(specs)));
  }
  if (spec.kind.accepts(value)) return;
  const inside = spec.kind.fault?.(value);
  if (inside !== undefined) {
    const path = `${name}${inside.path}`;
    throw new OptionError(name, `${path}: ${inside.problem}`, path);
  }
  throw new OptionError(name, `Option "${name}" must be ${spec.kind.expected}, not ${describeValue(value)}.`);
}

function unknownName(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return `There is no option "${name}".${hint}`;
}

/** Describes a wrong value; long ones are truncated, and the contents of objects are not shown. */
function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'string') return value.length > 60 ? `"${value.slice(0, 60)}…"` : `"${value}"`;
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'function') return 'a function';
  return String(value);
}
