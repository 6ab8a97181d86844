import type { CliRequestBody } from '../../../../wire/protocol/catalog/types.js';
import type { RequestBody, WireObject } from '../../../../wire/protocol/frames.js';
import type { Overrides } from '../../builders/identity.js';
import type { ErrorResultSubtype } from '../../builders/result.js';
import type { ReplyBlock } from '../../model/replies.js';
import type { Cli, Scene } from '../cli.js';
import type { Drip } from '../pipes/outlet.js';
import type { ExitStatus } from '../pipes/pipes.js';
import type { Expectation } from '../scenario/match.js';

// The fields of each step. Steps are data, so a scenario in JSON has the same fields.

/** How the model's text is sent. */
export interface SayOptions {
  /** Characters per delta. */
  readonly chunk?: number;
  /** Milliseconds before each delta. */
  readonly delayMs?: number;
  /** Keys that override or extend those of the assistant message. */
  readonly overrides?: Overrides<'assistant'>;
}

/** The model says something. */
export interface SayStep extends SayOptions {
  readonly do: 'say';
  readonly content: string | ReplyBlock | readonly ReplyBlock[];
}

/** The CLI sends a message unchanged, known or unknown. */
export interface SendStep {
  readonly do: 'send';
  readonly message: WireObject;
}

/** Options for calling a model. */
export interface AskModelOptions {
  /** The address of the model. Default: `ANTHROPIC_BASE_URL`. */
  readonly url?: string;
  /** The text for the model. Default: the user's message. */
  readonly text?: string;
}

/** A model decides what happens in this turn. */
export interface AskModelStep extends AskModelOptions {
  readonly do: 'askModel';
}

/** How a tool is used. */
export interface UseToolOptions {
  /** Whether the call needs permission. */
  readonly ask?: boolean;
  /** Why the CLI's own check denies the call in the mode `auto`. Default: it denies nothing. */
  readonly denied?: string;
  /** The result of the tool; a function gets the allowed input. */
  readonly result?: string | WireObject | readonly WireObject[] | ((input: WireObject) => unknown);
  /** Whether the tool fails. */
  readonly isError?: boolean;
  /** The expected answer to the prompt. */
  readonly expect?: Expectation;
  /** The id of the call. Default: a new one. */
  readonly toolUseId?: string;
  /** How long the tool runs once it is allowed; an interrupt stops it. */
  readonly takesMs?: number;
  /** Further fields of the prompt: `permission_suggestions`, `blocked_path`, `agent_id` … */
  readonly prompt?: Partial<CliRequestBody<'can_use_tool'>>;
}

/** The model uses a tool. */
export interface UseToolStep extends UseToolOptions {
  readonly do: 'useTool';
  readonly name: string;
  readonly input: WireObject;
}

/** A question in wire format; it may have further fields that a CLI adds. */
export interface EmulatedQuestion extends WireObject {
  /** The question. */
  readonly question: string;
  /** A short heading. */
  readonly header?: string;
  /** The options. */
  readonly options: readonly EmulatedOption[];
  /** Whether several options may be chosen. */
  readonly multiSelect?: boolean;
}

/** An option of a question. */
export interface EmulatedOption extends WireObject {
  /** A short label of the choice. */
  readonly label: string;
  /** What it means. */
  readonly description?: string;
}

/** The model asks the user. */
export interface AskQuestionStep {
  readonly do: 'askQuestion';
  readonly questions: readonly EmulatedQuestion[];
  readonly expect?: Expectation;
}

/** The answer that a step expects from the host. */
export interface Expecting {
  /** The expected answer of the host. */
  readonly expect?: Expectation;
}

/** A hook event fires. */
export interface HookStep extends Expecting {
  readonly do: 'hook';
  readonly event: string;
  readonly input: WireObject;
}

/** A JSON-RPC message goes to an in-process MCP server. */
export interface McpMessageStep extends Expecting {
  readonly do: 'mcpMessage';
  readonly server: string;
  readonly message: WireObject;
}

/** The model uses a tool of an in-process MCP server. */
export interface McpToolStep extends Expecting {
  readonly do: 'mcpTool';
  readonly server: string;
  readonly tool: string;
  readonly input: WireObject;
  readonly ask?: boolean;
}

/** An MCP server asks the user for input. */
export interface ElicitStep extends Expecting {
  readonly do: 'elicit';
  readonly server: string;
  readonly message: string;
  readonly fields: Partial<CliRequestBody<'elicitation'>>;
}

/** Any control request of the CLI, known or unknown. */
export interface AskHostStep extends Expecting {
  readonly do: 'askHost';
  readonly body: RequestBody;
  readonly deadlineMs?: number;
}

/** The turn ends with success. */
export interface DoneStep {
  readonly do: 'done';
  /** The text of the result. Default: what the model said last. */
  readonly text?: string;
  readonly overrides?: Overrides<'result/success'>;
}

/** The turn fails. */
export interface FailStep {
  readonly do: 'fail';
  readonly subtype: ErrorResultSubtype;
  readonly overrides?: Overrides<`result/${ErrorResultSubtype}`>;
}

/** The model's API fails permanently. */
export interface ApiFailureStep {
  readonly do: 'apiFailure';
  readonly error: string;
  readonly status: number | null;
  readonly text: string;
}

/** How a background task is described. */
export interface TaskOptions {
  /** What it does. */
  readonly description?: string;
  /** Its type, as the CLI names it. */
  readonly type?: string;
  /** The tool call that started it. */
  readonly toolUseId?: string;
  /** Its output. */
  readonly output?: string;
}

/** A background task starts. */
export interface StartTaskStep extends TaskOptions {
  readonly do: 'startTask';
  readonly id: string;
}

/** A background task ends. */
export interface EndTaskStep {
  readonly do: 'endTask';
  readonly id: string;
  readonly status: 'completed' | 'failed';
  readonly summary: string;
}

/** The request is answered with success. */
export interface AnswerStep {
  readonly do: 'answer';
  readonly value?: unknown;
}

/** The request is answered with an error. */
export interface RefuseStep {
  readonly do: 'refuse';
  readonly error: string;
  readonly errorCode?: string;
}

/** Nothing happens for a while. */
export interface WaitStep {
  readonly do: 'wait';
  readonly ms: number;
}

/** Nothing more happens until an interrupt or the end. */
export interface HangStep {
  readonly do: 'hang';
}

/** The process ends. */
export interface DieStep extends Partial<ExitStatus> {
  readonly do: 'die';
  readonly stderr?: string;
}

/** A function plays the step. */
export interface ActStep {
  readonly do: 'act';
  readonly run: (cli: Cli, scene: Scene) => unknown;
}

/** Text is written unchanged. */
export interface RawStep {
  readonly do: 'raw';
  readonly text: string;
}

/** Many lines are sent. */
export interface FloodStep {
  readonly do: 'flood';
  readonly count: number;
  readonly size: number;
}

/** One long line is sent. */
export interface HugeLineStep {
  readonly do: 'hugeLine';
  readonly bytes: number;
}

/** A line is sent that is split inside a character. */
export interface SplitUtf8Step {
  readonly do: 'splitUtf8';
}

/** From now on all output is slow. */
export interface SlowDripStep extends Drip {
  readonly do: 'slowDrip';
}

/** From now on the input is not read. */
export interface DeafStep {
  readonly do: 'deaf';
}

/** From now on a signal is ignored. */
export interface IgnoreSignalStep {
  readonly do: 'ignoreSignal';
  readonly signal: string;
}

/** Steps that use tools, which the model calls in one message. */
export interface TogetherStep {
  readonly do: 'together';
  readonly steps: readonly Step[];
}

type AnyStep =
  | SayStep
  | SendStep
  | AskModelStep
  | UseToolStep
  | AskQuestionStep
  | TogetherStep
  | HookStep
  | McpMessageStep
  | McpToolStep
  | ElicitStep
  | AskHostStep
  | DoneStep
  | FailStep
  | ApiFailureStep
  | StartTaskStep
  | EndTaskStep
  | AnswerStep
  | RefuseStep
  | WaitStep
  | HangStep
  | DieStep
  | ActStep
  | RawStep
  | FloodStep
  | HugeLineStep
  | SplitUtf8Step
  | SlowDripStep
  | DeafStep
  | IgnoreSignalStep;

type InferredSteps<Any extends { readonly do: string }> = {
  readonly [One in Any as One['do']]: { [Key in keyof One]: One[Key] };
};

/** The steps, by name. */
export type StepMap = InferredSteps<AnyStep>;

/** A step, by its name. */
export type StepOf<Name extends keyof StepMap> = StepMap[Name];

/** One action of the emulated CLI. It is data, so a scenario in JSON has the same form. */
export type Step = StepOf<keyof StepMap>;
