import { type ErrorCode, errorCodes } from '../../wire/util/error-codes.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { CommandError } from './contract.js';

/** A command failed on the server; `code` is the server's error code. */
export class CommandFailedError extends CoxswainError {
  /** The server's message. */
  readonly failure: CommandError;

  constructor(code: ErrorCode, failure: CommandError) {
    super(code, failure.message);
    this.failure = failure;
  }
}

/** The error that a failed command rejects with. */
export function toError(failure: CommandError): CommandFailedError {
  return new CommandFailedError(isCode(failure.code) ? failure.code : 'COMMAND_INVALID', failure);
}

/** A newer server may know codes that we do not. */
function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}
