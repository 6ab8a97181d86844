import { CoxswainError } from './errors.js';

/** What a value must be, as a test and as words for the error and the documentation. */
export interface OptionKind {
  /** Reads after "must be": "a string", "one of a, b". */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

/** One entry of an option table. */
export interface OptionSpec {
  readonly kind: OptionKind;
  /** What the option does, in one sentence for the documentation. */
  readonly sentence: string;
}

/** A table of options by name. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** A rule between options: says what is wrong, or undefined. */
export interface OptionRule<Options> {
  /** The option that the error names. */
  readonly option: string;
  readonly problem: (options: Options) => string | undefined;
}

/** Thrown when an option is wrong; `option` is its name. */
export class OptionError extends CoxswainError {
  readonly option: string;

  constructor(option: string, message: string) {
    super('OPTION_INVALID', message);
    this.option = option;
  }
}

/**
 * Checks given options against a table and its rules; an option set to undefined counts as not given.
 * @throws OptionError for the first wrong type, unknown name or impossible combination.
 */
export function checkOptions<Options extends object>(
  specs: OptionSpecs,
  given: Options,
  rules: readonly OptionRule<Options>[] = [],
): void {
  if (!isRecord(given)) {
    throw new OptionError('options', `The options must be an object, not ${describeValue(given)}.`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) checkOption(specs, name, value);
  }
  for (const { option, problem } of rules) {
    const text = problem(given);
    if (text !== undefined) throw new OptionError(option, `Option "${option}": ${text}`);
  }
}

/** Takes the options that a table knows out of a larger set, leaving out those that are undefined. */
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

/** The kinds that options are made of. */
export const kinds = {
  text: kind('a string that is not empty', (value) => typeof value === 'string' && value !== ''),
  anyText: kind('a string', (value) => typeof value === 'string'),
  flag: kind('true or false', (value) => typeof value === 'boolean'),
  count: kind('a whole number, 0 or more', (value) => Number.isSafeInteger(value) && Number(value) >= 0),
  positiveCount: kind('a whole number above 0', (value) => Number.isSafeInteger(value) && Number(value) > 0),
  positiveNumber: kind('a number above 0', (value) => Number.isFinite(value) && Number(value) > 0),
  uuid: kind('a UUID', (value) => typeof value === 'string' && UUID.test(value)),
  callback: kind('a function', (value) => typeof value === 'function'),
  record: kind('a plain object', isRecord),
  null: kind('null', (value) => value === null),
} as const satisfies Record<string, OptionKind>;

/** A value out of a fixed set. */
export function oneOf(...values: readonly string[]): OptionKind {
  const quoted = values.map((value) => `"${value}"`);
  return kind(`one of ${quoted.join(', ')}`, (value) => typeof value === 'string' && values.includes(value));
}

/** An array whose items are all of one kind. */
export function listOf(item: OptionKind): OptionKind {
  return kind(
    `an array, each item ${item.expected}`,
    (value) => Array.isArray(value) && value.every((each) => item.accepts(each)),
  );
}

/** A plain object whose values are all of one kind. */
export function recordOf(item: OptionKind): OptionKind {
  return kind(
    `a plain object, each value ${item.expected}`,
    (value) => isRecord(value) && Object.values(value).every((each) => item.accepts(each)),
  );
}

/** A plain object with these keys and no others, each of its own kind; none is needed unless its kind says so. */
export function shapeOf(keys: Readonly<Record<string, OptionKind>>): OptionKind {
  const words = Object.entries(keys).map(([name, { expected }]) => `${name} (${expected})`);
  return kind(
    `a plain object with no other keys than ${words.join(', ')}`,
    (value) =>
      isRecord(value) &&
      Object.entries(value).every(
        ([name, each]) =>
          Object.hasOwn(keys, name) && (each === undefined || keys[name]?.accepts(each) === true),
      ),
  );
}

/** A value of any of several kinds. */
export function either(...choices: readonly OptionKind[]): OptionKind {
  return kind(choices.map(({ expected }) => expected).join(', or '), (value) =>
    choices.some(({ accepts }) => accepts(value)),
  );
}

/** A custom kind, for shapes that the others do not cover. */
export function kind(expected: string, accepts: (value: unknown) => boolean): OptionKind {
  return { expected, accepts };
}

/** Whether a value is an object with keys: not null, not an array, not a class instance such as a Map. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm (vm, a test runner) have an Object.prototype of their own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function checkOption(specs: OptionSpecs, name: string, value: unknown): void {
  const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (spec === undefined) throw new OptionError(name, unknownName(name, Object.keys(specs)));
  if (spec.kind.accepts(value)) return;
  throw new OptionError(name, `Option "${name}" must be ${spec.kind.expected}, not ${describeValue(value)}.`);
}

function unknownName(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  return `There is no option "${name}".${hint}`;
}

/** The known name that a misspelt one most likely meant. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3));
  const ranked = known
    .map((each) => ({ each, far: distance(flatten(name), flatten(each)) }))
    .filter(({ far }) => far <= limit)
    .sort((one, other) => one.far - other.far);
  return ranked[0]?.each;
}

function flatten(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

/** Levenshtein's distance, one row at a time. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const kept = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(kept, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

/** Words for a wrong value; long ones are cut, and nothing inside an object is shown. */
function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'string') return value.length > 60 ? `"${value.slice(0, 60)}…"` : `"${value}"`;
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'function') return 'a function';
  return `${typeof value} ${String(value)}`;
}
