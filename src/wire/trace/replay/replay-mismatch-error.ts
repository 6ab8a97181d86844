import { CoxswainError } from '../../util/errors.js';
import type { Difference } from '../look/differences.js';

/** Raised when a program under replay does not do what was recorded. */
export class ReplayMismatchError extends CoxswainError {
  /** The line of the recording that was due; undefined when nothing more was. */
  readonly at: number | undefined;
  readonly differences: readonly Difference[];

  constructor(
    message: string,
    { at, differences = [] }: { at?: number | undefined; differences?: readonly Difference[] },
  ) {
    super('REPLAY_MISMATCH', message);
    this.at = at;
    this.differences = differences;
  }
}
