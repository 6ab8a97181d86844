import { CoxswainError } from '../../util/errors.js';
import { TRACE_VERSION } from '../format.js';

/** The error of a file that is no recording. */
export function notATrace(name: string, problem: string): CoxswainError {
  return new CoxswainError('TRACE_INVALID', `${name} is not a recording: ${problem}.`);
}

/** The error of a file that the system does not give out. */
export function unreadable(name: string, cause: unknown): CoxswainError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CoxswainError('TRACE_INVALID', `The recording ${name} cannot be read: ${why}.`, { cause });
}

/** The error of a recording from the future. */
export function tooNew(version: number): CoxswainError {
  return new CoxswainError(
    'TRACE_TOO_NEW',
    `The recording has format version ${version} and this coxswain reads up to ${TRACE_VERSION}: update coxswain.`,
  );
}
