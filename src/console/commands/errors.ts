import { RefusedError } from '../../peer/refused-error.js';
import type { CommandError } from '../../remote/contract.js';
import { errorText } from '../../util/error-text.js';
import { CoxswainError } from '../../util/errors.js';

/** An error as it goes to a client. */
export function commandError(error: unknown): CommandError {
  const code = error instanceof CoxswainError ? error.code : 'COMMAND_INVALID';
  const reason = error instanceof RefusedError ? { reason: error.reason, errorCode: error.errorCode } : {};
  return { code, message: errorText(error), ...reason };
}
