import { CoxswainError } from '../../util/errors.js';
import { checkReply } from './check-reply.js';
import type { ScriptModelOptions } from './script-model.js';

/** Refuses options with unknown names or wrong types, naming the option. */
export function checkModelOptions(options: ScriptModelOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!isKnown(name)) {
      throw new CoxswainError(
        'OPTION_INVALID',
        `${name} is not an option of the model. Known: ${Object.keys(CHECKS).join(', ')}.`,
      );
    }
    if (value !== undefined) CHECKS[name](name, value);
  }
}

type Check = (name: string, value: unknown) => void;

const CHECKS: Readonly<Record<keyof ScriptModelOptions, Check>> = {
  port: numberFrom(0, 65_535),
  sideReply: (name, value) => {
    if (typeof value !== 'function') checkReply(value, name);
  },
  isSideCall: aFunction,
  countTokens: aFunction,
  onRequest: aFunction,
  maxBodyBytes: numberFrom(1, Number.MAX_SAFE_INTEGER),
  maxKeptRequests: numberFrom(1, Number.MAX_SAFE_INTEGER),
  makeId: aFunction,
  delay: aFunction,
};

function isKnown(name: string): name is keyof ScriptModelOptions {
  return Object.hasOwn(CHECKS, name);
}

function numberFrom(least: number, most: number): Check {
  return (name, value) => {
    if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) return;
    const shown = JSON.stringify(value) ?? String(value);
    throw new CoxswainError(
      'OPTION_INVALID',
      `${name} must be a whole number from ${least} to ${most}, not ${shown}.`,
    );
  };
}

function aFunction(name: string, value: unknown): void {
  if (typeof value === 'function') return;
  throw new CoxswainError('OPTION_INVALID', `${name} must be a function, not ${JSON.stringify(value)}.`);
}
