import { CoxswainError } from '../util/errors.js';

/** The other side answered a request with an error; `reason` has its message. */
export class RefusedError extends CoxswainError {
  /** The request that was refused. */
  readonly subtype: string;
  /** The CLI's message. */
  readonly reason: string;
  /** The other side's machine-readable code; only newer CLIs send one. */
  readonly errorCode: string | undefined;

  constructor(subtype: string, reason: string, errorCode?: string) {
    super('REQUEST_REFUSED', `The CLI refused ${subtype}: ${reason}`);
    this.subtype = subtype;
    this.reason = reason;
    this.errorCode = errorCode;
  }
}
