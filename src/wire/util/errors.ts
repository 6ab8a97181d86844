import type { ErrorCode } from './error-codes.js';

/** Every error that Coxswain makes. Its message says what, where and what to do; its `code` is stable. */
export class CoxswainError extends Error {
  /** What went wrong: match on this, not on the message. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** Something was given up because a signal was aborted: `cause` is the signal's reason, the name is the usual one. */
export class AbortedError extends CoxswainError {
  constructor(code: ErrorCode, message: string, reason: unknown) {
    super(code, message, { cause: reason });
    this.name = 'AbortError';
  }
}
