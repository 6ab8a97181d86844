import { CommandFailedError } from '../../../entry/remote/command-failed.js';
import type { CommandError } from '../../../entry/remote/contract.js';
import { RefusedError } from '../../../wire/peer/refused-error.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** An error in the form that clients receive. */
export function commandError(error: unknown): CommandError {
  if (error instanceof CommandFailedError) return error.failure;
  const code = error instanceof CoxswainError ? error.code : 'COMMAND_INVALID';
  const reason = error instanceof RefusedError ? { reason: error.reason, errorCode: error.errorCode } : {};
  return { code, message: errorText(error), ...reason };
}
