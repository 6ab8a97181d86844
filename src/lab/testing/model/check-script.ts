import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { checkReply } from './check-reply.js';
import { checkKeys, checkNumber, checkObject, checkText, wrongValue } from './checks.js';
import type { AimedMatcher } from './matchers.js';
import type { Script, ScriptStep } from './script.js';

/**
 * Checks that a value, such as parsed JSON, is a script and returns it. @throws CoxswainError `OPTION_INVALID` naming
 * the place, such as `script[2].when.pattern`.
 */
export function checkScript(value: unknown, name = 'script'): Script {
  if (typeof value === 'function') return value as Script;
  if (!Array.isArray(value)) throw wrongValue(name, 'a list of steps or a function', value);
  for (const [index, entry] of value.entries()) checkEntry(entry, `${name}[${index}]`);
  return value as Script;
}

function checkEntry(value: unknown, name: string): void {
  if (isObject(value) && ('reply' in value || 'when' in value)) checkStep(value, name);
  else checkReply(value, name);
}

function checkStep(entry: WireObject, name: string): void {
  checkKeys(entry, name, STEP_KEYS);
  const { when, reply, times, anyOrder } = entry;
  if (when !== undefined) checkMatcher(when, `${name}.when`);
  if (typeof reply !== 'function') checkReply(reply, `${name}.reply`);
  if (times !== undefined && times !== 'any') checkNumber(times, 1, `${name}.times`, ' or "any"');
  if (anyOrder !== undefined && typeof anyOrder !== 'boolean') {
    throw wrongValue(`${name}.anyOrder`, 'true or false', anyOrder);
  }
  if (anyOrder === true && when === undefined) {
    throw new CoxswainError(
      'OPTION_INVALID',
      `${name}.anyOrder needs a \`when\`: without one it would take every request.`,
    );
  }
}

function checkMatcher(value: unknown, name: string): void {
  if (typeof value === 'function' || typeof value === 'string' || value instanceof RegExp) return;
  const matcher = checkObject(value, name, 'a string, a regular expression, an object or a function');
  if ('pattern' in matcher) {
    checkPattern(matcher, name);
    return;
  }
  checkKeys(matcher, name, AIMED_KEYS);
  const parts = Object.entries(matcher).filter(([, part]) => part !== undefined);
  if (parts.length === 0) throw wrongValue(name, 'an object with `user`, `toolResult` or `pattern`', value);
  for (const [key, part] of parts) checkTextMatcher(part, `${name}.${key}`);
}

function checkTextMatcher(value: unknown, name: string): void {
  if (typeof value === 'string' || value instanceof RegExp) return;
  checkPattern(checkObject(value, name, 'a string or a regular expression'), name);
}

function checkPattern(value: WireObject, name: string): void {
  checkKeys(value, name, ['pattern', 'flags']);
  const pattern = checkText(value.pattern, `${name}.pattern`);
  const flags = value.flags === undefined ? undefined : checkText(value.flags, `${name}.flags`);
  try {
    new RegExp(pattern, flags);
  } catch (error) {
    const problem = errorText(error);
    throw new CoxswainError('OPTION_INVALID', `${name} is not a regular expression: ${problem}.`, {
      cause: error,
    });
  }
}

const STEP_KEYS: readonly (keyof ScriptStep)[] = ['when', 'reply', 'times', 'anyOrder'];
const AIMED_KEYS: readonly (keyof AimedMatcher)[] = ['user', 'toolResult'];
