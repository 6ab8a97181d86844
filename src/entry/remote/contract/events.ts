import type { WireObject } from '../../../wire/protocol/frames.js';
import type { PromptAnswer, PromptView } from './prompts.js';
import type { ConsoleState } from './sessions.js';

// What a session's log holds. A reader skips kinds that it does not know.

/** One entry of the log. */
export type LogEvent =
  | LineEvent
  | StartEvent
  | EndEvent
  | PromptEvent
  | PromptSettledEvent
  | QueuedEvent
  | UnqueuedEvent
  | StateEvent
  | NoteEvent
  | OtherEvent;

/** A line of the wire; `frame` is the object, `text` what was no object. */
export interface LineEvent {
  /** `line`. */
  readonly kind: 'line';
  /** Milliseconds since this CLI was started. */
  readonly t: number;
  /** Who sent it. */
  readonly from: 'host' | 'cli';
  /** The line as an object. */
  readonly frame?: WireObject | undefined;
  /** The line as text, where it is no object. */
  readonly text?: string | undefined;
  /** It was said before this session was opened, and read from the disk: a resumed conversation. */
  readonly earlier?: true | undefined;
}

/** A CLI was started: the header of a recording. A resumed session has several. */
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

/** A CLI is gone. */
export interface EndEvent {
  /** `end`. */
  readonly kind: 'end';
  /** When, in milliseconds since its start. */
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

/** A person has something to decide. */
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
  /** What became of it. */
  readonly how: 'answered' | 'withdrawn' | 'expired';
  /** Who answered, where somebody did. */
  readonly by?: ClientName | undefined;
  /** What the answer was. */
  readonly answer?: PromptAnswer | undefined;
}

/** A user message was taken; it is sent when its time comes, which the wire shows. */
export interface QueuedEvent {
  /** `queued`. */
  readonly kind: 'queued';
  /** The id of the message. */
  readonly uuid: string;
  /** What it says. */
  readonly content: string | readonly WireObject[];
  /** Who sent it. */
  readonly by: ClientName;
}

/** A user message was taken back, or could not be sent. */
export interface UnqueuedEvent {
  /** `unqueued`. */
  readonly kind: 'unqueued';
  /** The id of the message. */
  readonly uuid: string;
}

/** The state has changed. */
export interface StateEvent {
  /** `state`. */
  readonly kind: 'state';
  /** What the session is doing now. */
  readonly state: ConsoleState;
}

/** Something worth knowing: a diagnostic, a failed start, a restart of the server. */
export interface NoteEvent {
  /** `note`. */
  readonly kind: 'note';
  /** How bad it is. */
  readonly level: 'info' | 'warning' | 'error';
  /** What it is about. */
  readonly code: string;
  /** What it says. */
  readonly text: string;
}

/** Other entries of a recording, such as `facts`, `eof` and `gap`; safe to pass over. */
export interface OtherEvent {
  /** What it is, as in a recording. */
  readonly kind: 'facts' | 'eof' | 'gap' | 'signal' | 'full';
  /** What else it carries. */
  readonly [key: string]: unknown;
}

/** A client, as others see it. */
export interface ClientName {
  /** The id of the client. */
  readonly client: string;
  /** Its name for people. */
  readonly name: string;
  /** The name of the key that it came with. */
  readonly key?: string | undefined;
}
