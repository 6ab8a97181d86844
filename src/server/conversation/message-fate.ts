import type { OutcomeView } from '../../entry/remote/contract.js';

/** What is known about an accepted message whose owner is gone before it settled. */
export interface MessageEvidence {
  /** Whether the owner recorded that a CLI is about to get it. */
  readonly handed: boolean;
  /** Whether the CLI reported that its turn began. */
  readonly started: boolean;
  /** Whether the CLI's transcript has it; undefined if the transcript cannot be read, or may be older than the CLI's last words. */
  readonly inTranscript: boolean | undefined;
  /** Whether it may be sent again. */
  readonly resend: boolean;
  /** Whether the end of the log is lost: what it does not say may have happened. */
  readonly isCut: boolean;
}

/**
 * What the next owner does with it. `send`: no CLI had it. `again`: a CLI had it, and did not begin. `ran`: it began, and
 * was interrupted. `dropped`: it did not begin, and its sender wants it sent once at most. `unknown`: nobody can tell.
 */
export type MessageFate = 'send' | 'again' | 'ran' | 'dropped' | 'unknown';

/** Decides what becomes of a message. A message is never run twice: where nobody can tell, its sender decides. */
export function fateOf({ handed, started, inTranscript, resend, isCut }: MessageEvidence): MessageFate {
  if (started || inTranscript === true) return 'ran';
  if (!handed) return isCut && inTranscript === undefined ? 'unknown' : 'send';
  if (!resend) return 'dropped';
  return inTranscript === undefined ? 'unknown' : 'again';
}

/** The outcome of a message that is not sent again; `why` is what happened to its owner. */
export function fateOutcome(fate: MessageFate, why: string): OutcomeView {
  if (fate === 'unknown') return { kind: 'unknown', message: UNKNOWN_FATE };
  return { kind: 'cli-ended', error: fate === 'dropped' ? DROPPED : why };
}

const DROPPED =
  'The message was given to a CLI that ended before it began with it. It is not sent again, as its sender wished.';
const UNKNOWN_FATE =
  'Nobody can tell whether this message ran: its worker was lost, and neither the log nor the transcript says whether a CLI began with it. Look at the effects, and send the message again with a new id if it did not run.';
