import type { Scene } from '../cli.js';
import { performAnswer, performRefuse } from './answer-steps.js';
import {
  performAskHost,
  performElicit,
  performHook,
  performMcpMessage,
  performMcpTool,
} from './asking-steps.js';
import {
  performDeaf,
  performFlood,
  performHugeLine,
  performIgnoreSignal,
  performRaw,
  performSlowDrip,
  performSplitUtf8,
} from './fault-steps.js';
import { performAct, performDie, performHang, performWait } from './life-steps.js';
import { performAskModel } from './model-steps.js';
import { performApiFailure, performDone, performFail } from './result-steps.js';
import { closeMessage, performSay, performSend } from './speech-steps.js';
import type { Step, StepMap, StepOf } from './step-types.js';
import { performEndTask, performStartTask } from './task-steps.js';
import { ToolBatch } from './tool-batch.js';
import { performAskQuestion, performUseTool } from './tool-steps.js';

/** The model uses several tools at once: the prompts for all of them are open at the same time. */
export function together(steps: readonly Step[]): StepOf<'together'> {
  return { do: 'together', steps };
}

const performers: {
  readonly [K in keyof StepMap]: (step: StepMap[K], scene: Scene) => Promise<void>;
} = {
  say: performSay,
  send: performSend,
  askModel: performAskModel,
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

async function performTogether({ steps }: StepOf<'together'>, scene: Scene): Promise<void> {
  const { cli, turn } = scene;
  const batch = new ToolBatch(steps.length, () => closeMessage(cli, turn, 'tool_use'));
  const played = await Promise.allSettled(steps.map((step) => performOne(step, { ...scene, batch })));
  const failed = played.find((each) => each.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function performOne<K extends keyof StepMap>(
  step: { readonly [P in K]: { readonly do: P } & StepMap[P] }[K],
  scene: Scene,
): Promise<void> {
  return performers[step.do](step, scene);
}
