import type { WireObject } from '../../../wire/protocol/frames.js';
import type { PromptAnswer, PromptView } from './prompts.js';
import type { ConsoleState } from './sessions.js';

// The entries of a session's log. A reader skips kinds that it does not know.

/** One entry of the log. */
export type LogEvent =
  | LineEvent
  | StartEvent
  | EndEvent
  | PromptEvent
  | PromptSettledEvent
  | QueuedEvent
  | UnqueuedEvent
  | SettledEvent
  | StateEvent
  | NoteEvent
  | OtherEvent;

/** A line on the wire: an object as `frame`, anything else as `text`. */
export interface LineEvent {
  /** `line`. */
  readonly kind: 'line';
  /** Milliseconds since this CLI was started. */
  readonly t: number;
  /** Who sent it. */
  readonly from: 'host' | 'cli';
  /** The line as an object. */
  readonly frame?: WireObject | undefined;
  /** The line as text, if it is not an object. */
  readonly text?: string | undefined;
  /** True for a line from before this session was opened, read from the transcript of a resumed conversation. */
  readonly earlier?: true | undefined;
}

/** A CLI started: the header of a recording. A resumed session has several. */
export interface StartEvent {
  /** `header`. */
  readonly kind: 'header';
  /** When the CLI was started. */
  readonly startedAt: string;
  /** The command line, secrets masked. */
  readonly argv: readonly string[];
  /** The working folder. */
  readonly cwd?: string | undefined;
}

/** A CLI ended. */
export interface EndEvent {
  /** `end`. */
  readonly kind: 'end';
  /** The time, in milliseconds since its start. */
  readonly t: number;
  /** How the CLI ended. */
  readonly end: {
    readonly reason: 'closed' | 'exited' | 'failed';
    readonly code?: number | null;
    readonly signal?: string | null;
    readonly stderrTail?: string;
    readonly error?: string;
  };
}

/** A prompt was opened. */
export interface PromptEvent {
  /** `prompt`. */
  readonly kind: 'prompt';
  /** The prompt. */
  readonly prompt: PromptView;
}

/** A prompt is no longer open. `expired` also means that its session was closed, or its CLI is gone and it cannot be kept. */
export interface PromptSettledEvent {
  /** `prompt-settled`. */
  readonly kind: 'prompt-settled';
  /** The id of the prompt. */
  readonly prompt: string;
  /** The result. */
  readonly how: 'answered' | 'withdrawn' | 'expired';
  /** Who answered, if somebody did. */
  readonly by?: ClientName | undefined;
  /** The answer. */
  readonly answer?: PromptAnswer | undefined;
}

/** A user message was accepted. It is sent when its turn comes; the wire shows that. */
export interface QueuedEvent {
  /** `queued`. */
  readonly kind: 'queued';
  /** The id of the message. */
  readonly uuid: string;
  /** The content. */
  readonly content: string | readonly WireObject[];
  /** Who sent it. */
  readonly by: ClientName;
}

/** A user message was cancelled, or could not be sent. */
export interface UnqueuedEvent {
  /** `unqueued`. */
  readonly kind: 'unqueued';
  /** The id of the message. */
  readonly uuid: string;
}

/** The turn of a user message is over; comes after its result and after `unqueued`. */
export interface SettledEvent {
  /** `settled`. */
  readonly kind: 'settled';
  /** The id of the message. */
  readonly uuid: string;
  /** How the turn ended. */
  readonly outcome: OutcomeView;
}

/** How a turn ended, as plain data. What its result says is left out: the result is in the log. */
export interface OutcomeView {
  /** The kind of outcome: `success`, `error`, `interrupted`, `cancelled`, `cli-ended` … */
  readonly kind: string;
  /** The `uuid` of its result, if there is one. */
  readonly result?: string | undefined;
  /** Why the CLI ended. */
  readonly error?: string | undefined;
  /** When a usage limit ends, as an ISO date. */
  readonly endsAt?: string | undefined;
  /** What else the outcome says. */
  readonly [key: string]: unknown;
}

/** The state changed. */
export interface StateEvent {
  /** `state`. */
  readonly kind: 'state';
  /** What the session is doing now. */
  readonly state: ConsoleState;
}

/** A note: a diagnostic, a failed start, a server restart. */
export interface NoteEvent {
  /** `note`. */
  readonly kind: 'note';
  /** The severity. */
  readonly level: 'info' | 'warning' | 'error';
  /** What it is about. */
  readonly code: string;
  /** The content. */
  readonly text: string;
}

/** Other entries of a recording, such as `facts`, `eof` and `gap`; safe to ignore. */
export interface OtherEvent {
  /** The kind of entry, as in a recording. */
  readonly kind: 'facts' | 'eof' | 'gap' | 'signal' | 'full';
  /** The other fields. */
  readonly [key: string]: unknown;
}

/** A client, as others see it. */
export interface ClientName {
  /** The id of the client. */
  readonly client: string;
  /** Its display name. */
  readonly name: string;
  /** The name of its key. */
  readonly key?: string | undefined;
}
