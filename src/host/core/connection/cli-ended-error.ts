import type { TransportEnd } from '../../../wire/transport/transport.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { SessionState } from './state.js';

/** The CLI ended. Everything that was waiting for it gets this same error. */
export class CliEndedError extends CoxswainError {
  /** The exit code; null if a signal ended the CLI. */
  readonly exitCode: number | null;
  /** The signal that ended the CLI, if one did. */
  readonly signal: string | null;
  /** The last lines that the CLI wrote to stderr. */
  readonly stderrTail: string;
  /** What the session was doing when it happened. */
  readonly phase: SessionState;

  constructor(end: TransportEnd, phase: SessionState, waitedFor: readonly string[]) {
    const waiting = waitedFor.length === 0 ? '' : ` while waiting for ${waitedFor.join(', ')}`;
    const cause = end.reason === 'failed' ? end.error : undefined;
    super('CLI_ENDED', `The CLI ended (${describeEnd(end)}) when the session was ${phase}${waiting}.`, {
      cause,
    });
    this.exitCode = end.reason === 'exited' ? end.code : null;
    this.signal = end.reason === 'exited' ? end.signal : null;
    this.stderrTail = end.reason === 'exited' ? end.stderrTail : '';
    this.phase = phase;
  }
}

/** A short description of an end. */
export function describeEnd(end: TransportEnd): string {
  if (end.reason === 'closed') return 'closed';
  if (end.reason === 'failed') return end.error.message;
  const tail = end.stderrTail.trim() === '' ? '' : `; stderr: ${end.stderrTail.trim().slice(-500)}`;
  return end.signal === null ? `exit code ${end.code}${tail}` : `signal ${end.signal}${tail}`;
}
