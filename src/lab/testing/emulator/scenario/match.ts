import type { HostMessage } from '../../../../wire/protocol/catalog/types.js';
import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';

/** A regular expression as data, for scenarios in JSON. */
export interface TextPattern {
  /** A regular expression. */
  readonly pattern: string;
  /** The flags of the expression. */
  readonly flags?: string;
}

/** Matches the text of a user message: a substring, a regular expression, or a function. */
export type UserMatch =
  | string
  | RegExp
  | TextPattern
  | ((text: string, message: HostMessage<'user'>) => boolean);

/** Matches an answer: an object with keys and values that must be present, or a function. */
export type Expectation = WireObject | ((answer: unknown) => boolean);

/** Whether a user message matches. */
export function fitsUser(match: UserMatch | undefined, text: string, message: HostMessage<'user'>): boolean {
  if (match === undefined) return true;
  if (typeof match === 'string') return text.includes(match);
  if (typeof match === 'function') return match(text, message) === true;
  return text.search(match instanceof RegExp ? match : new RegExp(match.pattern, match.flags)) >= 0;
}

/** Whether an answer matches: additional keys are allowed. */
export function fitsAnswer(expected: Expectation, answer: unknown): boolean {
  return typeof expected === 'function' ? expected(answer) === true : contains(answer, expected);
}

/** A matcher in words, for the table. */
export function describeMatch(match: UserMatch | undefined): string {
  if (match === undefined) return 'a user message';
  if (typeof match === 'string') return `a user message with ${JSON.stringify(match)}`;
  if (typeof match === 'function') return `a user message that ${match.name || 'the function'} accepts`;
  return `a user message like ${match instanceof RegExp ? match : `/${match.pattern}/${match.flags ?? ''}`}`;
}

/** An expectation in words, for the table. */
export function describeExpectation(expected: Expectation): string {
  return typeof expected === 'function'
    ? `an answer that ${expected.name || 'the function'} accepts`
    : JSON.stringify(expected);
}

function contains(value: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((item, index) => contains(value[index], item))
    );
  }
  if (isObject(expected)) {
    return isObject(value) && Object.entries(expected).every(([key, item]) => contains(value[key], item));
  }
  return Object.is(value, expected);
}

/** The text of a user message, whether it came as a string or as blocks. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isObject)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}
