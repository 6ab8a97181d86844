import type { WireObject } from '../../../../wire/protocol/frames.js';
import type { Scene } from '../cli.js';
import { ToolBatch } from '../steps/tool-batch.js';
import { COST_PER_CALL } from '../turns/result-details.js';
import { callModel } from './call-model.js';
import type { Conversation, LoopEnd, RunLoop } from './conversation.js';
import { ModelError } from './model-stream.js';
import { isSafe, runCall } from './tool-calls.js';
import { toolsOf } from './tool-list.js';

/** How often the model may return an invalid result. */
const MAX_BAD_OUTPUTS = 5;
/** As many as ten calls and their results have. */
const MESSAGES_UNTIL_REMINDER = 20;

/** Calls the model and runs the tools that it requests, until it requests none. */
export const runLoop: RunLoop = async (scene, conversation) => {
  const { state } = scene.cli;
  for (let calls = 1; ; calls += 1) {
    if (costOf(scene) > state.maxBudgetUsd) return { kind: 'budget' };
    try {
      const asked = await callOnce(scene, conversation);
      if (asked.length === 0) return { kind: 'done' };
      await runCalls(scene, conversation, asked);
    } catch (error) {
      if (error instanceof ModelError) return { kind: 'failed', error };
      throw error;
    }
    const end = endAfter(scene, calls);
    if (end !== undefined) return end;
  }
};

/** Why the model is not called again after its tools have run. */
function endAfter({ cli, turn }: Scene, calls: number): LoopEnd | undefined {
  if (turn.stopped !== undefined) return { kind: 'done' };
  if (turn.badOutputs >= MAX_BAD_OUTPUTS) return { kind: 'bad-output' };
  return calls >= cli.state.maxTurns ? { kind: 'max-turns' } : undefined;
}

/** Calls the model once; returns the requested tool calls. */
async function callOnce({ cli, turn }: Scene, conversation: Conversation): Promise<readonly WireObject[]> {
  const tools = toolsOf(cli, turn);
  const { blocks } = await callModel(cli, turn, { ...conversation, tools, isTold: true });
  conversation.messages.push({ role: 'assistant', content: blocks });
  return blocks.filter(({ type }) => type === 'tool_use');
}

function costOf({ cli, turn }: Scene): number {
  return cli.state.totalCost + turn.modelCalls * COST_PER_CALL;
}

/** Runs the calls of one message: read-only ones concurrently, all others alone. */
export async function runCalls(
  scene: Scene,
  { messages }: Conversation,
  calls: readonly WireObject[],
): Promise<void> {
  const batch = new ToolBatch(calls.length, async () => {});
  const results = new Map<WireObject, unknown>();
  const run = async (call: WireObject): Promise<void> => {
    results.set(call, await runCall({ ...scene, batch }, call, runLoop));
  };
  try {
    for (const group of groupsOf(scene, calls)) {
      const settled = await Promise.allSettled(group.map(run));
      const failed = settled.find((each) => each.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    }
  } finally {
    const broken = { content: 'The call was interrupted.', is_error: true };
    const content = calls.map((call) => ({
      type: 'tool_result',
      ...(results.get(call) ?? broken),
      tool_use_id: call.id,
    }));
    const notes = [...heardFromHooks(scene), ...heardOfTasks(scene), ...forgottenReminder(scene, messages)];
    messages.push({ role: 'user', content: [...content, ...notes] });
  }
}

/** What hooks want to tell the model, as message blocks; each is sent once. */
export function heardFromHooks({ turn }: Scene): readonly WireObject[] {
  const texts = turn.context.splice(0);
  return texts.map((text) => ({ type: 'text', text: `<system-reminder>${text}</system-reminder>` }));
}

/** Background work that ended meanwhile; an agent does not hear of it. */
function heardOfTasks({ cli, turn }: Scene): readonly WireObject[] {
  const notices = turn.agent === undefined ? cli.turns.hearNotices() : [];
  return notices.map(({ text }) => ({ type: 'text', text }));
}

/** Some versions remind the model of its tools after many calls, and do not write it into the transcript. */
function forgottenReminder({ cli }: Scene, messages: readonly WireObject[]): readonly WireObject[] {
  const isDue = !cli.traits.keepsReminders && messages.length % MESSAGES_UNTIL_REMINDER === 0;
  return isDue ? [{ type: 'text', text: '<system-reminder>There is a to-do list.</system-reminder>' }] : [];
}

function groupsOf({ cli }: Scene, calls: readonly WireObject[]): readonly (readonly WireObject[])[] {
  const groups: WireObject[][] = [];
  let wasSafe = false;
  for (const call of calls) {
    const safe = isSafe(cli, call);
    if (safe && wasSafe) groups.at(-1)?.push(call);
    else groups.push([call]);
    wasSafe = safe;
  }
  return groups;
}
