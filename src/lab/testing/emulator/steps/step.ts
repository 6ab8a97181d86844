import type { Scene } from '../cli.js';
import { type AnswerStep, performAnswer, performRefuse, type RefuseStep } from './answer-steps.js';
import {
  type AskHostStep,
  type ElicitStep,
  type HookStep,
  type McpMessageStep,
  type McpToolStep,
  performAskHost,
  performElicit,
  performHook,
  performMcpMessage,
  performMcpTool,
} from './asking-steps.js';
import {
  type DeafStep,
  type FloodStep,
  type HugeLineStep,
  type IgnoreSignalStep,
  performDeaf,
  performFlood,
  performHugeLine,
  performIgnoreSignal,
  performRaw,
  performSlowDrip,
  performSplitUtf8,
  type RawStep,
  type SlowDripStep,
  type SplitUtf8Step,
} from './fault-steps.js';
import {
  type ActStep,
  type DieStep,
  type HangStep,
  performAct,
  performDie,
  performHang,
  performWait,
  type WaitStep,
} from './life-steps.js';
import {
  type ApiFailureStep,
  type DoneStep,
  type FailStep,
  performApiFailure,
  performDone,
  performFail,
} from './result-steps.js';
import { closeMessage, performSay, performSend, type SayStep, type SendStep } from './speech-steps.js';
import { type EndTaskStep, performEndTask, performStartTask, type StartTaskStep } from './task-steps.js';
import { ToolBatch } from './tool-batch.js';
import { type AskQuestionStep, performAskQuestion, performUseTool, type UseToolStep } from './tool-steps.js';

/** Steps that use tools, which the model asks for in one message. */
export interface TogetherStep {
  readonly do: 'together';
  readonly steps: readonly Step[];
}

/** The model uses several tools at once: prompts for all of them are open side by side. */
export function together(steps: readonly Step[]): TogetherStep {
  return { do: 'together', steps };
}

/** One thing that the emulated CLI does. It is data, so a scenario in JSON says the same. */
export type Step =
  | SayStep
  | SendStep
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

type StepByName = { readonly [S in Step as S['do']]: S };

const performers: {
  readonly [K in keyof StepByName]: (step: StepByName[K], scene: Scene) => Promise<void>;
} = {
  say: performSay,
  send: performSend,
  useTool: performUseTool,
  askQuestion: performAskQuestion,
  together: performTogether,
  hook: performHook,
  mcpMessage: performMcpMessage,
  mcpTool: performMcpTool,
  elicit: performElicit,
  askHost: performAskHost,
  done: performDone,
  fail: performFail,
  apiFailure: performApiFailure,
  startTask: performStartTask,
  endTask: performEndTask,
  answer: performAnswer,
  refuse: performRefuse,
  wait: performWait,
  hang: performHang,
  die: performDie,
  act: performAct,
  raw: performRaw,
  flood: performFlood,
  hugeLine: performHugeLine,
  splitUtf8: performSplitUtf8,
  slowDrip: performSlowDrip,
  deaf: performDeaf,
  ignoreSignal: performIgnoreSignal,
};

/** Plays steps in order, until one rejects or a hook stopped the turn. */
export async function perform(steps: readonly Step[], scene: Scene): Promise<void> {
  for (const [index, step] of steps.entries()) {
    scene.turn.signal.throwIfAborted();
    if (scene.turn.stopped !== undefined) return;
    await performOne(step, { ...scene, where: `${scene.where}, step ${index + 1}` });
  }
}

async function performTogether({ steps }: TogetherStep, scene: Scene): Promise<void> {
  const { cli, turn } = scene;
  const batch = new ToolBatch(steps.length, () => closeMessage(cli, turn, 'tool_use'));
  const played = await Promise.allSettled(steps.map((step) => performOne(step, { ...scene, batch })));
  const failed = played.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function performOne<K extends keyof StepByName>(
  step: { readonly [P in K]: { readonly do: P } & StepByName[P] }[K],
  scene: Scene,
): Promise<void> {
  return performers[step.do](step, scene);
}
