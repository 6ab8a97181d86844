import { isObject, type WireObject } from '../../../protocol/frames.js';
import { makeToolUseId } from '../../builders/assistant.js';
import { toolResult } from '../../builders/user.js';
import type { Cli, Scene } from '../cli.js';
import { fireHooks } from '../hooks.js';
import { describeExpectation, type Expectation, fitsAnswer } from '../match.js';
import { decide, type Verdict } from '../permissions.js';
import type { Turn } from '../turn.js';
import { closeMessage, speak } from './speech.js';

/** How a tool is used. */
export interface UseToolOptions {
  /** Whether the call needs permission. */
  readonly ask?: boolean;
  /** What the tool gives back; a function gets the input that was allowed. */
  readonly result?: string | WireObject | readonly WireObject[] | ((input: WireObject) => unknown);
  readonly isError?: boolean;
  /** What the host must answer to the prompt. */
  readonly expect?: Expectation;
  readonly toolUseId?: string;
  /** Further fields of the prompt: `permission_suggestions`, `blocked_path`, `agent_id` … */
  readonly prompt?: WireObject;
}

/** The model uses a tool. */
export interface UseToolStep extends UseToolOptions {
  readonly do: 'useTool';
  readonly name: string;
  readonly input: WireObject;
}

/** The model asks the user. */
export interface AskQuestionStep {
  readonly do: 'askQuestion';
  readonly questions: readonly WireObject[];
  readonly expect?: Expectation;
}

/** The model uses a tool: hooks, the permission prompt where `ask` is set, then the tool's result. */
export function useTool(name: string, input: WireObject = {}, options: UseToolOptions = {}): UseToolStep {
  return { do: 'useTool', name, input, ...options };
}

/** The model asks questions with AskUserQuestion; a plain text is a question that takes yes or no. */
export function askQuestion(
  questions: string | WireObject | readonly WireObject[],
  { expect }: { readonly expect?: Expectation } = {},
): AskQuestionStep {
  const list = typeof questions === 'string' ? [yesOrNo(questions)] : questions;
  return {
    do: 'askQuestion',
    questions: isList(list) ? list : [list],
    ...(expect === undefined ? {} : { expect }),
  };
}

/** A question in the form of the wire. */
export function question(
  text: string,
  options: readonly (string | WireObject)[],
  {
    header = text.slice(0, 12),
    multiSelect = false,
  }: { readonly header?: string; readonly multiSelect?: boolean } = {},
): WireObject {
  const full = options.map((option) =>
    typeof option === 'string' ? { label: option, description: option } : option,
  );
  return { question: text, header, options: full, multiSelect };
}

/** Plays {@link useTool}. */
export async function performUseTool(step: UseToolStep, scene: Scene): Promise<void> {
  await runTool(scene, {
    name: step.name,
    input: step.input,
    options: step,
    run: (input) => plainOutcome(scene.cli, step, input),
  });
}

/** Plays {@link askQuestion}. */
export async function performAskQuestion(step: AskQuestionStep, scene: Scene): Promise<void> {
  await runTool(scene, {
    name: 'AskUserQuestion',
    input: { questions: step.questions },
    options: { ask: true, ...(step.expect === undefined ? {} : { expect: step.expect }) },
    run: (input) => answersOf(scene.cli, input),
  });
}

/** A tool call with what it does when it may run. */
export interface RunnableTool {
  readonly name: string;
  readonly input: WireObject;
  readonly options: UseToolOptions;
  readonly run: (input: WireObject, toolUseId: string) => ToolOutcome | Promise<ToolOutcome>;
}

/** What a tool gave back. */
export interface ToolOutcome {
  readonly content: unknown;
  /** Undefined where the CLI says nothing about it. */
  readonly isError: boolean | undefined;
  /** The result as data, where it is more than the content. */
  readonly structured?: unknown;
}

/** Says the tool call, has it decided, runs it and sends its result. */
export async function runTool(scene: Scene, tool: RunnableTool): Promise<void> {
  const { cli, turn } = scene;
  const toolUseId = tool.options.toolUseId ?? makeToolUseId();
  await speak(cli, turn, { type: 'tool_use', id: toolUseId, name: tool.name, input: tool.input });
  await closeMessage(cli, turn, 'tool_use');
  turn.usingTool = true;
  try {
    const verdict = await decide(cli, turn, {
      name: tool.name,
      input: tool.input,
      toolUseId,
      ask: tool.options.ask === true,
      prompt: tool.options.prompt,
      onAnswer: (answer) => checkAnswer(scene, tool, answer),
    });
    if (verdict.run) await runAllowed(cli, turn, { tool, toolUseId, input: verdict.input });
    else await refuse(cli, turn, { tool, toolUseId, verdict });
  } catch (error) {
    if (turn.interrupted && !cli.exited.aborted) await sendOutcome(cli, toolUseId, rejected(cli));
    throw error;
  }
  turn.usingTool = false;
}

function rejected({ traits }: Cli): ToolOutcome {
  const content = traits.detailed
    ? 'The user does not want this tool use: it was rejected.'
    : 'Tool permission request failed: AbortError';
  return { content, isError: true };
}

const ALLOWED_BY_HOST = { decision: 'accept', source: 'user_temporary' } as const;
const ALLOWED_BY_RULE = { decision: 'accept', source: 'config', reason_type: 'subcommandResults' } as const;

interface RunningTool {
  readonly tool: RunnableTool;
  readonly toolUseId: string;
}

async function runAllowed(
  cli: Cli,
  turn: Turn,
  { tool, toolUseId, input }: RunningTool & { readonly input: WireObject },
): Promise<void> {
  const outcome = await tool.run(input, toolUseId);
  turn.signal.throwIfAborted();
  await sendOutcome(cli, toolUseId, outcome, tool.options.ask === true ? ALLOWED_BY_HOST : ALLOWED_BY_RULE);
  const about = { tool_name: tool.name, tool_input: input, tool_use_id: toolUseId };
  const hooks = await fireHooks(cli, turn, {
    event: outcome.isError === true ? 'PostToolUseFailure' : 'PostToolUse',
    input:
      outcome.isError === true
        ? { ...about, error: String(outcome.content) }
        : { ...about, tool_response: outcome.content },
    toolName: tool.name,
    toolUseId,
  });
  const stop = hooks.find((hook) => hook.kind === 'answer' && hook.value.continue === false);
  if (stop?.kind === 'answer') turn.stopped = String(stop.value.stopReason ?? 'stopped by a hook');
}

async function refuse(
  cli: Cli,
  turn: Turn,
  { tool, toolUseId, verdict }: RunningTool & { readonly verdict: Extract<Verdict, { run: false }> },
): Promise<void> {
  if (verdict.denied) {
    turn.denials.push({ tool_name: tool.name, tool_use_id: toolUseId, tool_input: tool.input });
  }
  // Newer CLIs replace the host's words when the denial also interrupts.
  const stock = verdict.interrupt && cli.traits.detailed;
  await sendOutcome(cli, toolUseId, stock ? rejected(cli) : { content: verdict.message, isError: true });
  if (!verdict.interrupt) return;
  turn.interrupt();
  turn.signal.throwIfAborted();
}

async function sendOutcome(
  cli: Cli,
  toolUseId: string,
  { content, isError, structured = content }: ToolOutcome,
  permission: WireObject = { decision: 'reject', source: 'user_reject' },
): Promise<void> {
  const meta = cli.traits.detailed
    ? { tool_result_meta: [{ id: toolUseId, permission_decision: permission }] }
    : {};
  const overrides = { ...meta, session_id: cli.state.sessionId };
  await cli.send(toolResult(toolUseId, content, { isError, structured }, overrides));
}

function checkAnswer({ cli, where }: Scene, { name, options }: RunnableTool, answer: unknown): void {
  const { expect } = options;
  if (expect === undefined || fitsAnswer(expect, answer)) return;
  cli.fail({
    step: `${where}: permission for ${name}`,
    expected: describeExpectation(expect),
    got: JSON.stringify(answer) ?? 'no value',
  });
}

function plainOutcome(
  { traits }: Cli,
  { name, result, isError = false }: UseToolStep,
  input: WireObject,
): ToolOutcome {
  const content: unknown = typeof result === 'function' ? result(input) : (result ?? '');
  if (name !== 'Bash' || isError) return { content, isError };
  const stdout = { stdout: content, stderr: '', interrupted: false, isImage: false };
  return { content, isError, structured: traits.detailed ? { ...stdout, noOutputExpected: false } : stdout };
}

function answersOf({ traits }: Cli, input: WireObject): ToolOutcome {
  if (traits.answersNeedQuestions && !Array.isArray(input.questions)) {
    return { content: 'The answer was refused: questions is missing.', isError: true };
  }
  const answers = isObject(input.answers) ? Object.entries(input.answers) : [];
  if (answers.length === 0) {
    return { content: 'The user did not answer the questions.', isError: undefined, structured: input };
  }
  const said = answers.map(([asked, given]) => `"${asked}"="${given}"`).join(', ');
  return { content: `User has answered your questions: ${said}.`, isError: undefined, structured: input };
}

function yesOrNo(text: string): WireObject {
  return question(text, ['Yes', 'No']);
}

function isList(value: WireObject | readonly WireObject[]): value is readonly WireObject[] {
  return Array.isArray(value);
}
