import { looksSecret } from '../../../wire/transport/process/command-line.js';
import type { Argument } from './passing.js';

/** Writes an argument as the CLI gets it. */
export function argumentText({ flag, value }: Argument): string {
  return value === undefined ? flag : `${flag}=${value}`;
}

/** Writes an argument for people. */
export function maskedArgument(argument: Argument): string {
  const { flag, value, secret = false } = argument;
  if (value === undefined) return flag;
  return secret || looksSecret(value) ? `${flag}=<${value.length} characters>` : argumentText(argument);
}
