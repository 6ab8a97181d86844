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
  readonly kind: 'line';
  /** Milliseconds since this CLI was started. */
  readonly t: number;
  readonly from: 'host' | 'cli';
  readonly frame?: WireObject | undefined;
  readonly text?: string | undefined;
  /** It was said before this session was opened, and read from the disk: a resumed conversation. */
  readonly earlier?: true | undefined;
}

/** A CLI was started: the header of a recording. A resumed session has several. */
export interface StartEvent {
  readonly kind: 'header';
  readonly startedAt: string;
  readonly argv: readonly string[];
  readonly cwd?: string | undefined;
}

/** A CLI is gone. */
export interface EndEvent {
  readonly kind: 'end';
  readonly t: number;
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
  readonly kind: 'prompt';
  readonly prompt: PromptView;
}

/** A prompt is not open any more. `expired` also means that the server was restarted while it was open. */
export interface PromptSettledEvent {
  readonly kind: 'prompt-settled';
  readonly prompt: string;
  readonly how: 'answered' | 'withdrawn' | 'expired';
  /** Who answered, where somebody did. */
  readonly by?: ClientName | undefined;
  /** What the answer was. */
  readonly answer?: PromptAnswer | undefined;
}

/** A user message was taken; it is sent when its time comes, which the wire shows. */
export interface QueuedEvent {
  readonly kind: 'queued';
  readonly uuid: string;
  readonly content: string | readonly WireObject[];
  readonly by: ClientName;
}

/** A user message was taken back, or could not be sent. */
export interface UnqueuedEvent {
  readonly kind: 'unqueued';
  readonly uuid: string;
}

/** The state has changed. */
export interface StateEvent {
  readonly kind: 'state';
  readonly state: ConsoleState;
}

/** Something worth knowing: a diagnostic, a failed start, a restart of the server. */
export interface NoteEvent {
  readonly kind: 'note';
  readonly level: 'info' | 'warning' | 'error';
  readonly code: string;
  readonly text: string;
}

/** Other entries of a recording, such as `facts`, `eof` and `gap`; safe to pass over. */
export interface OtherEvent {
  readonly kind: 'facts' | 'eof' | 'gap' | 'signal' | 'full';
  readonly [key: string]: unknown;
}

/** A client, as others see it. */
export interface ClientName {
  readonly client: string;
  readonly name: string;
  /** The name of the key that it came with. */
  readonly key?: string | undefined;
}
