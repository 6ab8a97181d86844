import { errorText } from '../../util/error-text.js';
import { CoxswainError } from '../../util/errors.js';
import { TRACE_VERSION } from '../format.js';

/** The error for a file that is not a recording. */
export function notATrace(name: string, problem: string): CoxswainError {
  return new CoxswainError('TRACE_INVALID', `${name} is not a recording: ${problem}.`);
}

/** The error for a file that cannot be read. */
export function unreadable(name: string, cause: unknown): CoxswainError {
  const why = errorText(cause);
  return new CoxswainError('TRACE_INVALID', `The recording ${name} cannot be read: ${why}.`, { cause });
}

/** The error for a recording of a newer version. */
export function tooNew(version: number): CoxswainError {
  return new CoxswainError(
    'TRACE_TOO_NEW',
    `The recording has format version ${version}, but this version of coxswain reads only up to ${TRACE_VERSION}. Update coxswain.`,
  );
}

/** The error for a recording that is too large to load. */
export function tooLarge(name: string, size: number, limit: number): CoxswainError {
  return new CoxswainError(
    'TRACE_TOO_LARGE',
    `${name} is ${megabytes(size)}, but at most ${megabytes(limit)} can be loaded: extract a part with "coxswain trace export --trace --since … --until … -o part.trace".`,
  );
}

/** The error for a recording that does not fit into one page. */
export function pageTooLarge(name: string, limit: number): CoxswainError {
  return new CoxswainError(
    'TRACE_TOO_LARGE',
    `More than ${megabytes(limit)} of ${name} would go into the page: choose a part with --since, --until, --type or --text, raise --max-bytes, or look at it with "coxswain inspect", which reads a part at a time.`,
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
}
