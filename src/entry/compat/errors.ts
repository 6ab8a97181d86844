import type { RefusedError } from '../../wire/peer/refused-error.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import type { TransportEnd } from '../../wire/transport/transport.js';
import type { CoxswainError } from '../../wire/util/errors.js';

/** The work was aborted by its owner. */
export class AbortError extends Error {
  /** `AbortError`. */
  override readonly name: string = 'AbortError';
  /** The kind of error, for programs that have several copies of this package. */
  readonly errorClass?: string = 'aborted';
}

/** The error of a query that was aborted before it started. */
export function abortedEarly(cause: unknown): AbortError {
  return new AbortError('Operation aborted', { cause });
}

/** The error of a query that was aborted while its process ran. */
export function aborted(cause: unknown): AbortError {
  return new AbortError('Claude Code process aborted by user', { cause });
}

/** The errors below keep the words that programs match on. */
interface ExitFacts {
  readonly errorClass: string;
  readonly exitCode?: number;
  readonly signal?: string;
}

/** What is known about a CLI that ended. */
export interface LastWords {
  readonly result: WireObject | undefined;
  /** Why the work cannot have been completed, if that is certain. */
  readonly unfinished: string | undefined;
}

/** What the end of the CLI means for the program: nothing, or the error that its loop throws. */
export function endError(end: TransportEnd, said: LastWords, cause?: Error): Error | undefined {
  if (end.reason === 'closed') return undefined;
  if (end.reason === 'failed') return end.error;
  if (end.code === 0) return unfinishedError(said, cause);
  const more = cause === undefined ? {} : { cause };
  const complaint = said.result?.is_error === true ? resultText(said.result) : '';
  if (complaint !== '') {
    const text = `Claude Code returned an error result: ${complaint}`;
    return withFacts(new Error(text, more), { errorClass: 'error_result' });
  }
  if (end.signal !== null) {
    const text = `Claude Code process terminated by signal ${end.signal}`;
    return withFacts(new Error(text, more), { errorClass: 'process_killed_by_signal', signal: end.signal });
  }
  const tail = end.stderrTail.trim() === '' ? '' : `. stderr: ${end.stderrTail.trim()}`;
  const text = `Claude Code process exited with code ${end.code}${tail}`;
  return withFacts(new Error(text, more), {
    errorClass: 'process_exited_nonzero',
    ...(end.code === null ? {} : { exitCode: end.code }),
  });
}

/** A CLI that exits with code 0 in the middle of something has failed anyway. */
function unfinishedError({ unfinished }: LastWords, cause: Error | undefined): Error | undefined {
  if (unfinished === undefined) return undefined;
  const text = `Claude Code process exited with code 0 ${unfinished}`;
  const more = cause === undefined ? {} : { cause };
  return withFacts(new Error(text, more), { errorClass: 'process_exited_unfinished', exitCode: 0 });
}

/**
 * The error of a CLI that could not be started, with the fields and words that programs check;
 * they are followed by what happened, which is also in `cause`.
 */
export function launchError(error: CoxswainError, path: string | undefined): Error {
  const isMissing = error.code === 'CLI_NOT_FOUND';
  const kind = path !== undefined && /\.[mc]?[jt]sx?$/i.test(path) ? 'executable' : 'native binary';
  const head = isMissing
    ? `Claude Code ${kind} not found${path === undefined ? '' : ` at ${path}`} (ENOENT)`
    : 'Failed to spawn Claude Code process';
  const why = error.message.replaceAll('"cli"', '"pathToClaudeCodeExecutable"');
  return Object.assign(new ReferenceError(`${head}: ${why}`, { cause: error }), {
    code: 'ENOENT',
    errorClass: isMissing ? 'executable_not_found' : 'executable_launch_failed',
  });
}

/** The error of a control request that the CLI refused, with the CLI's message. */
export function refusal(error: RefusedError): Error {
  const { errorCode, reason } = error;
  const facts = { errorClass: 'control_request_failed', ...(errorCode === undefined ? {} : { errorCode }) };
  return Object.assign(new Error(reason, { cause: error }), facts);
}

/** The error for everything that waits when a query ends. */
export function closedError(cause: unknown): Error {
  return new Error('Query closed before response received', { cause });
}

/** The text of an error result. Old CLIs have no list of errors, only the kind; an empty list means nothing. */
function resultText({ errors, result, subtype }: WireObject): string {
  const texts = Array.isArray(errors) ? errors.filter((each) => typeof each === 'string') : [];
  if (texts.length > 0) return texts.join('; ');
  if (typeof result === 'string' && result !== '') return result;
  return Array.isArray(errors) ? '' : String(subtype);
}

function withFacts(error: Error, facts: ExitFacts): Error {
  return Object.assign(error, facts);
}
