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

/** The parts of the turns that request handlers may use. */
export interface TurnControl {
  readonly current: Turn | undefined;
  readonly waiting: number;
  interrupt(options?: { readonly cancelQueued?: boolean }): InterruptReceipt;
  /** Removes a message from the queue; returns whether it was there. */
  cancel(uuid: string): boolean;
  /** Tells the model about the end of a task in the running turn or an unrequested one, if the version does that. */
  notify(notice: TaskNotice): void;
  /** The notices that the running turn hears of before it calls the model again; they get no turn of their own. */
  hearNotices(): readonly TaskNotice[];
  /** Sends a message about a task right before the unrequested turn about it; never if the running turn hears of it. */
  sendWithNotice(message: WireObject): void;
  /** Makes a call that was deferred before the conversation was resumed, in an unrequested turn. */
  makeDeferred(): void;
}

/** What the model is told about the end of a task. */
export interface TaskNotice {
  readonly text: string;
  readonly taskRunId: string;
}

/** The emulated CLI as steps and request handlers see it. */
export interface Cli {
  /** @internal How its version behaves. */
  readonly traits: Traits;
  /** @internal The state of its session. */
  readonly state: SessionState;
  /** @internal Its clock. */
  readonly clock: Clock;
  /** @internal Its turns. */
  readonly turns: TurnControl;
  /** Prompts that the host has not answered, as whole frames. */
  readonly openPrompts: readonly ControlRequest<RequestBody>[];
  /** Aborted when the process has ended. */
  readonly exited: AbortSignal;
  /** Sends a message; adds a missing uuid and session id. */
  send(message: WireObject): Promise<void>;
  /** Writes bytes unchanged. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** Asks the host; rejects if it refuses, if the input ends, and as the options say. */
  ask(body: RequestBody, options?: AskOptions): Promise<unknown>;
  /** @internal Records a difference from the scenario. */
  fail(failure: ScenarioFailure): void;
  /** Ends. */
  exit(status: Partial<ExitStatus>): void;
  /** @internal Ends the running turn, then the process; `code` is for when no turn runs. */
  leave(codes: { readonly idle: number; readonly busy: number }): void;
  /** Writes to stderr. */
  stderr(text: string): void;
  /** @internal Writes slowly from now on. */
  drip(drip: Drip | undefined): void;
  /** Stops reading. */
  stopReading(): void;
  /** Ignores a signal from now on. */
  ignoreSignal(signal: string): void;
}

/** The context of a step. */
export interface Scene {
  /** The CLI being played. */
  readonly cli: Cli;
  /** @internal The running turn. */
  readonly turn: Turn;
  /** The request that the steps were written for, if any. */
  readonly request?: HostRequest | undefined;
  /** @internal The other tool calls of the same message, if there are any. */
  readonly batch?: ToolBatch | undefined;
  /** The position of the step, for the table. */
  readonly where: string;
}

/** The model id for the name that the host chose; an unknown name is sent unchanged. */
export function resolvedModel({ traits, state }: Cli, name = state.model): string {
  return traits.models[name] ?? name;
}

/** Where the CLI keeps this session's transcript. */
export function transcriptPath({ state }: Cli): string {
  const usual = `${state.home}/.claude/projects/${state.cwd.replaceAll(/[^A-Za-z0-9]/g, '-')}`;
  return `${state.transcriptFolder ?? usual}/${state.sessionId}.jsonl`;
}
