import type { ErrorCode } from './error-codes.js';

/**
 * The base of every error that Coxswain throws. Its message says what went wrong, where, and what to do; its `code` is
 * stable.
 */
export class CoxswainError extends Error {
  /** The code to match on, not the message. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** An operation was aborted by a signal. `cause` is the signal's reason; the name is `AbortError`. */
export class AbortedError extends CoxswainError {
  constructor(code: ErrorCode, message: string, reason: unknown) {
    super(code, message, { cause: reason });
    this.name = 'AbortError';
  }
}
