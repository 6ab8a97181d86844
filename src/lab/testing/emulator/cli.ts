import type { ControlRequest } from '../../../wire/protocol/catalog/frame-types.js';
import type { RequestBody, WireObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { HostRequest } from './asking/host-request.js';
import type { Drip } from './pipes/outlet.js';
import type { ExitStatus } from './pipes/pipes.js';
import type { ScenarioFailure } from './scenario/failures.js';
import type { SessionState } from './session-state.js';
import type { ToolBatch } from './steps/tool-batch.js';
import type { Turn } from './turns/emulated-turn.js';
import type { Traits } from './versions/traits.js';

/** How a request to the host waits. Real CLIs wait forever, except for hooks and MCP. */
export interface AskOptions {
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** How long it waits, in milliseconds. */
  readonly deadlineMs?: number | undefined;
}

/** What an interrupt did to the messages that waited. */
export interface InterruptReceipt {
  /** The ids of messages that are still queued in the CLI. */
  readonly stillQueued: readonly string[];
  /** The ids of cancelled messages. */
  readonly cancelled: readonly string[];
}

/** The turns, as request handlers may touch them. */
export interface TurnControl {
  readonly current: Turn | undefined;
  readonly waiting: number;
  interrupt(options?: { readonly cancelQueued?: boolean }): InterruptReceipt;
  /** Takes a message out of the queue; says whether it was there. */
  cancel(uuid: string): boolean;
  /** Has the model hear of the end of a task in a turn that nobody asked for, where the version does that. */
  notify(notice: TaskNotice): void;
  /** Makes a call that was put off before the conversation was resumed, in a turn that nobody asked for. */
  makeDeferred(): void;
}

/** What the model hears of the end of a task. */
export interface TaskNotice {
  readonly text: string;
  readonly taskRunId: string;
}

/** The emulated CLI as steps and request handlers see it. */
export interface Cli {
  /** @internal How its version behaves. */
  readonly traits: Traits;
  /** @internal What it knows of its session. */
  readonly state: SessionState;
  /** @internal The clock that it goes by. */
  readonly clock: Clock;
  /** @internal Its turns. */
  readonly turns: TurnControl;
  /** Prompts that the host has not answered, as whole frames. */
  readonly openPrompts: readonly ControlRequest<RequestBody>[];
  /** Aborted when the process is over. */
  readonly exited: AbortSignal;
  /** Sends a message; a missing uuid and session id are filled in. */
  send(message: WireObject): Promise<void>;
  /** Writes bytes as they are. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** Asks the host; rejects when it refuses, when the input ends, and as the options say. */
  ask(body: RequestBody, options?: AskOptions): Promise<unknown>;
  /** @internal Notes that the scenario was not kept to. */
  fail(failure: ScenarioFailure): void;
  /** Ends. */
  exit(status: Partial<ExitStatus>): void;
  /** @internal Ends the running turn, then the process; `code` is for when no turn runs. */
  leave(codes: { readonly idle: number; readonly busy: number }): void;
  /** Writes to stderr. */
  stderr(text: string): void;
  /** @internal Writes slowly from now on. */
  drip(drip: Drip | undefined): void;
  /** Reads no more. */
  stopReading(): void;
  /** Passes over a signal from now on. */
  ignoreSignal(signal: string): void;
}

/** Where a step is played. */
export interface Scene {
  /** The CLI that is played. */
  readonly cli: Cli;
  /** @internal The turn that runs. */
  readonly turn: Turn;
  /** The request that the steps were written for, if any. */
  readonly request?: HostRequest | undefined;
  /** @internal The other tool calls of the same message, if there are any. */
  readonly batch?: ToolBatch | undefined;
  /** The place of the step, for the table. */
  readonly where: string;
}

/** The model id behind the name that the host chose; a name that is not known is sent as it is. */
export function resolvedModel({ traits, state }: Cli, name = state.model): string {
  return traits.models[name] ?? name;
}

/** Where the CLI keeps the transcript of this session. */
export function transcriptPath({ state }: Cli): string {
  const usual = `${state.home}/.claude/projects/${state.cwd.replaceAll(/[^A-Za-z0-9]/g, '-')}`;
  return `${state.transcriptFolder ?? usual}/${state.sessionId}.jsonl`;
}
