import type { WireObject } from '../../../wire/protocol/frames.js';
import type { PromptAnswer, PromptView } from './prompts.js';
import type { ConsoleState, ScheduleView, SessionSummary, SettingsMode, TokenCounts } from './sessions.js';

// The entries of a session's log. A reader skips kinds that it does not know.

/** One entry of the log. */
export type LogEvent =
  | LineEvent
  | StartEvent
  | EndEvent
  | PromptEvent
  | PromptSettledEvent
  | QueuedEvent
  | HandedEvent
  | BegunEvent
  | UnqueuedEvent
  | SettledEvent
  | StateEvent
  | OpenedEvent
  | CliEvent
  | TitleEvent
  | MarksEvent
  | SettingsEvent
  | UsageEvent
  | BudgetEvent
  | ScheduleEvent
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
  /** The whole message, if it was sent as one. */
  readonly message?: WireObject | undefined;
  /** When the CLI should process it. */
  readonly priority?: 'now' | 'next' | 'later' | undefined;
  /** The parent message. */
  readonly parentUuid?: string | null | undefined;
  /** False if it is not sent again after its CLI ended. */
  readonly resend?: false | undefined;
  /** What to do at a usage limit, if the sender said so. */
  readonly onLimit?: 'wait' | 'fail' | undefined;
}

/** A CLI is about to get a user message. This comes first: the next owner reads from it what may have run. */
export interface HandedEvent {
  /** `handed`. */
  readonly kind: 'handed';
  /** The id of the message. */
  readonly uuid: string;
  /** The id under which the CLI gets it, if it was sent before. */
  readonly as?: string | undefined;
  /** False if it is not sent again after its CLI ended. */
  readonly resend?: false | undefined;
}

/** The turn of a user message began. */
export interface BegunEvent {
  /** `begun`. */
  readonly kind: 'begun';
  /** The id of the message. */
  readonly uuid: string;
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
  /** The kind of outcome: `success`, `error`, `interrupted`, `cancelled`, `cli-ended`, `unknown` … */
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
  /** Why it ended unexpectedly. */
  readonly error?: string | undefined;
  /** True if its CLI ended too often in a row. */
  readonly failed?: true | undefined;
  /** When the usage limit ends that it waits for, as an ISO date. */
  readonly limitUntil?: string | undefined;
}

/** The session was opened, or reopened: a CLI is about to start. */
export interface OpenedEvent {
  /** `opened`. */
  readonly kind: 'opened';
  /** The working folder. */
  readonly cwd: string;
  /** Who opened it. */
  readonly by: SessionSummary['owner']['kind'];
  /** The model that it is to have, if the session has had none yet. */
  readonly model?: string | undefined;
  /** The permission mode that it starts in. */
  readonly permissionMode?: string | undefined;
}

/** A CLI was started for the session, or says more about itself. */
export interface CliEvent {
  /** `cli`. */
  readonly kind: 'cli';
  /** The CLI's id of the conversation. */
  readonly conversation?: string | undefined;
  /** The version of the CLI. */
  readonly cliVersion?: string | undefined;
  /** The sandbox that it runs in; null without one. */
  readonly sandbox?: string | null | undefined;
}

/** The session has a new title. */
export interface TitleEvent {
  /** `title`. */
  readonly kind: 'title';
  /** The title. */
  readonly title: string;
}

/** People have pinned, archived or tagged the session; what did not change is missing. */
export interface MarksEvent {
  /** `marks`. */
  readonly kind: 'marks';
  /** Whether it is pinned. */
  readonly pinned?: boolean | undefined;
  /** Whether it is archived. */
  readonly archived?: boolean | undefined;
  /** All its tags. */
  readonly tags?: readonly string[] | undefined;
}

/** Settings changed; those that did not are missing, and null says that there is none any more. */
export interface SettingsEvent {
  /** `settings`. */
  readonly kind: 'settings';
  /** The model. */
  readonly model?: string | undefined;
  /** The permission mode. */
  readonly permissionMode?: string | null | undefined;
  /** The mode set by a settings file. */
  readonly settingsMode?: SettingsMode | null | undefined;
  /** The thinking limit. */
  readonly maxThinkingTokens?: number | null | undefined;
  /** What lets the session act without asking. */
  readonly allows?: readonly string[] | undefined;
}

/** More was used; what did not change is missing. */
export interface UsageEvent {
  /** `usage`. */
  readonly kind: 'usage';
  /** The cost so far, in dollars. */
  readonly costUsd?: number | undefined;
  /** Whether the cost of an earlier part is unknown. */
  readonly costIsPartial?: boolean | undefined;
  /** The tokens used so far. */
  readonly tokens?: TokenCounts | undefined;
  /** The use of the context window. */
  readonly context?: SessionSummary['context'] | undefined;
  /** The usage limits of its login. */
  readonly limits?: SessionSummary['limits'];
}

/** The budget changed. */
export interface BudgetEvent {
  /** `budget`. */
  readonly kind: 'budget';
  /** What the session may cost, in dollars; null for no limit. */
  readonly maxBudgetUsd: number | null;
}

/** The schedule changed, or its next time has come: before the message of that time is queued. */
export interface ScheduleEvent {
  /** `schedule`. */
  readonly kind: 'schedule';
  /** The schedule with its next time; null for none. */
  readonly schedule: ScheduleView | null;
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
