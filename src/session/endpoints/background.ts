import type { RequestOptions } from '../../peer/control-peer.js';
import type { Call } from '../controls/call.js';
import type { CliFacts, GetFacts } from './cli-facts.js';
import { resolveEndpoint, unsupported } from './resolve.js';

/** How running work is sent to the background. */
export interface BackgroundOptions extends RequestOptions {
  /** How long to wait for the CLI to tell of the target, in milliseconds; ten seconds unless given. */
  readonly waitMs?: number | undefined;
}

/** Whether anything was moved to the background. */
export interface BackgroundAnswer {
  readonly backgrounded: boolean;
}

const WAIT_MS = 10_000;

/** Moves running foreground work to the background: one tool call, task or agent, or all of it. */
export async function moveToBackground(
  target: string | undefined,
  {
    call,
    facts: getFacts,
    options: { waitMs = WAIT_MS, ...options },
  }: { call: Call; facts: GetFacts; options: BackgroundOptions },
): Promise<BackgroundAnswer> {
  const facts = await getFacts();
  const served = resolveEndpoint('agent_run_to_background', facts);
  if (served.how === 'no') throw unsupported('agent_run_to_background', facts, served.help ?? '');
  if (served.how === 'patched') {
    const params = { target_id: target, wait_ms: target === undefined ? 0 : waitMs };
    const answer: Readonly<Record<string, unknown>> = await call('agent_run_to_background', params, options);
    return { backgrounded: answer.backgrounded === true };
  }
  const ids = target === undefined ? runningCalls(facts) : await callOf(target, waitMs, facts);
  const moved: boolean[] = [];
  for (const id of ids) {
    const { backgrounded } = await call('background_tasks', { tool_use_id: id }, options);
    moved.push(backgrounded === true);
  }
  return { backgrounded: moved.includes(true) };
}

/** The CLI moves only work that it has told of. */
function runningCalls({ tasks }: CliFacts): readonly string[] {
  return tasks.foreground.flatMap(({ toolUseId }) => toolUseId ?? []);
}

async function callOf(
  target: string,
  waitMs: number,
  { tasks, clock }: CliFacts,
): Promise<readonly string[]> {
  const task = await tasks.wait(target, waitMs, clock);
  return [task?.toolUseId ?? target];
}
