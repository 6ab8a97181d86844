import { randomUUID } from 'node:crypto';
import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { makeToolUseId } from '../../builders/assistant.js';
import { fireHooks } from '../asking/emulated-hooks.js';
import { decide, type Verdict } from '../asking/emulated-permissions.js';
import { serverOfTool } from '../asking/prompt-body.js';
import type { Cli, Scene } from '../cli.js';
import { delay } from '../pipes/timing.js';
import { describeExpectation, type Expectation, fitsAnswer } from '../scenario/match.js';
import type { Turn } from '../turns/emulated-turn.js';
import { permissionMeta, sendInterrupted, sendOutcome, type ToolOutcome } from '../turns/tool-result.js';
import type { Traits } from '../versions/traits.js';
import { closeMessage, speak } from './speech-steps.js';
import type {
  AskQuestionStep,
  EmulatedOption,
  EmulatedQuestion,
  StepOf,
  UseToolOptions,
  UseToolStep,
} from './step-types.js';
import { ToolBatch } from './tool-batch.js';

/** The model uses a tool: hooks, the permission prompt if `ask` is set, then the tool's result. */
export function useTool(
  name: string,
  input: WireObject = {},
  options: UseToolOptions = {},
): StepOf<'useTool'> {
  return { do: 'useTool', name, input, ...options };
}

/** The model asks questions with AskUserQuestion; a plain string is a yes-or-no question. */
export function askQuestion(
  questions: string | EmulatedQuestion | readonly EmulatedQuestion[],
  { expect }: { readonly expect?: Expectation } = {},
): StepOf<'askQuestion'> {
  const list = typeof questions === 'string' ? [yesOrNo(questions)] : questions;
  return {
    do: 'askQuestion',
    questions: isList(list) ? list : [list],
    ...(expect === undefined ? {} : { expect }),
  };
}

/** A question in wire format. */
export function question(
  text: string,
  options: readonly (string | EmulatedOption)[],
  {
    header = text.slice(0, 12),
    multiSelect = false,
  }: { readonly header?: string; readonly multiSelect?: boolean } = {},
): EmulatedQuestion {
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

/** A tool call with its action once it is allowed. */
export interface RunnableTool {
  readonly name: string;
  readonly input: WireObject;
  readonly options: UseToolOptions;
  readonly run: (input: WireObject, toolUseId: string) => ToolOutcome | Promise<ToolOutcome>;
  /** Whether the model has already announced the call. */
  readonly isSaid?: boolean;
}

/** Announces the tool call, gets a decision, runs it and sends its result; returns the result. */
export async function runTool(scene: Scene, tool: RunnableTool): Promise<ToolOutcome> {
  const { cli, turn } = scene;
  const toolUseId = tool.options.toolUseId ?? makeToolUseId();
  const sayCall = () =>
    speak(cli, turn, { type: 'tool_use', id: toolUseId, name: tool.name, input: tool.input });
  const batch = scene.batch ?? new ToolBatch(1, () => closeMessage(cli, turn, 'tool_use'));
  if (tool.isSaid !== true) await batch.say(sayCall);
  turn.toolsInUse += 1;
  const progress: Progress = { isRunning: false, hasResult: false };
  try {
    const verdict = await decide(cli, turn, {
      name: tool.name,
      input: tool.input,
      toolUseId,
      ask: tool.options.ask === true,
      denied: tool.options.denied,
      prompt: { ...agentOf(turn), ...tool.options.prompt },
      onAnswer: (answer) => checkAnswer(scene, tool, answer),
    });
    progress.isRunning = verdict.run;
    const outcome = verdict.run
      ? await runAllowed(cli, turn, { tool, toolUseId, input: verdict.input, progress })
      : await refuse(cli, turn, { tool, toolUseId, verdict, progress });
    const through = batch.finish({
      tool_name: tool.name,
      tool_input: tool.input,
      tool_use_id: toolUseId,
      tool_response: outcome.content,
    });
    if (through !== undefined) await fireBatchHooks(cli, turn, through);
    turn.toolsInUse -= 1;
    return outcome;
  } catch (error) {
    if (turn.interrupted && !progress.hasResult && !cli.exited.aborted)
      await sendInterrupted(cli, { turn, toolUseId }, progress.isRunning);
    throw error;
  }
}

/** A sub-agent's prompt names the agent. */
function agentOf({ agent }: Turn): WireObject {
  return agent === undefined ? {} : { agent_id: agent.id };
}

/** How far a tool call got. */
interface Progress {
  isRunning: boolean;
  hasResult: boolean;
}

interface RunningTool {
  readonly tool: RunnableTool;
  readonly toolUseId: string;
}

async function runAllowed(
  cli: Cli,
  turn: Turn,
  {
    tool,
    toolUseId,
    input,
    progress,
  }: RunningTool & { readonly input: WireObject; readonly progress: Progress },
): Promise<ToolOutcome> {
  const { ask = false, takesMs = 0 } = tool.options;
  if (takesMs > 0) await delay(cli.clock, takesMs, turn.signal);
  const outcome = await tool.run(input, toolUseId);
  turn.signal.throwIfAborted();
  const about = {
    tool_name: tool.name,
    tool_input: input,
    tool_use_id: toolUseId,
    ...(cli.traits.detailed ? { duration_ms: takesMs } : {}),
    ...serverOfTool(cli, tool.name),
  };
  const hooks = await fireHooks(cli, turn, {
    event: outcome.isError === true ? 'PostToolUseFailure' : 'PostToolUse',
    input:
      outcome.isError === true
        ? { ...about, error: String(outcome.content), is_interrupt: false }
        : { ...about, tool_response: outcome.content },
    toolName: tool.name,
    toolUseId,
  });
  const meta = ask ? permissionMeta.allowedByHost : permissionMeta.allowedByRule;
  progress.hasResult = true;
  await sendOutcome(cli, { turn, toolUseId }, outcome, meta);
  const stop = hooks.find((hook) => hook.kind === 'answer' && hook.value.continue === false);
  if (stop?.kind === 'answer') turn.stopped = String(stop.value.stopReason ?? 'stopped by a hook');
  return outcome;
}

async function refuse(
  cli: Cli,
  turn: Turn,
  {
    tool,
    toolUseId,
    verdict,
    progress,
  }: RunningTool & { readonly verdict: Refused; readonly progress: Progress },
): Promise<ToolOutcome> {
  const { message, by, interrupt } = verdict;
  if (by === 'host') {
    turn.denials.push({ tool_name: tool.name, tool_use_id: toolUseId, tool_input: tool.input });
  }
  const outcome = { content: message, isError: true };
  progress.hasResult = true;
  // Newer CLIs replace the host's text if the denial also interrupts.
  if (interrupt && !cli.traits.keepsDenialMessage) await sendInterrupted(cli, { turn, toolUseId }, false);
  else await sendOutcome(cli, { turn, toolUseId }, outcome, refusalMeta[by]);
  if (interrupt) {
    turn.interrupt();
    turn.signal.throwIfAborted();
  }
  return outcome;
}

type Refused = Extract<Verdict, { run: false }>;

const refusalMeta: Readonly<Record<Refused['by'], WireObject | undefined>> = {
  host: permissionMeta.deniedByHost,
  hook: permissionMeta.deniedByHook,
  failure: undefined,
};

/** Newer CLIs fire another event when all calls of one model message are done. */
async function fireBatchHooks(cli: Cli, turn: Turn, calls: readonly WireObject[]): Promise<void> {
  const input = { tool_calls: calls };
  await fireHooks(cli, turn, { event: 'PostToolBatch', input, toolUseId: `hook-${randomUUID()}` });
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

/** AskUserQuestion's result for the host's answers. */
export function answersOf({ traits }: Cli, input: WireObject): ToolOutcome {
  if (!traits.takesAnswersAlone && !Array.isArray(input.questions)) {
    return { content: 'The answer was refused: questions is missing.', isError: true };
  }
  const answers = givenAnswers(traits, input);
  if (answers.length === 0) {
    return { content: 'The user did not answer the questions.', isError: undefined, structured: input };
  }
  const said = answers.map(([asked, given]) => `"${asked}"="${given}"`).join(', ');
  return { content: `User has answered your questions: ${said}.`, isError: undefined, structured: input };
}

/** Newer versions ignore answers to questions that were not asked. */
function givenAnswers({ takesAnswersAlone }: Traits, input: WireObject): readonly [string, unknown][] {
  const answers = isObject(input.answers) ? Object.entries(input.answers) : [];
  if (takesAnswersAlone || !Array.isArray(input.questions)) return answers;
  const asked = new Set(input.questions.filter(isObject).map(({ question: text }) => text));
  return answers.filter(([text]) => asked.has(text));
}

function yesOrNo(text: string): EmulatedQuestion {
  return question(text, ['Yes', 'No']);
}

function isList(value: EmulatedQuestion | readonly EmulatedQuestion[]): value is readonly EmulatedQuestion[] {
  return Array.isArray(value);
}
