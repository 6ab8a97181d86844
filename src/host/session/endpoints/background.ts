import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { Call } from '../controls/call.js';
import type { CliFacts, GetFacts } from './cli-facts.js';
import { resolveEndpoint, unsupported } from './resolve.js';

/** Options for moving work to the background. */
export interface BackgroundOptions extends RequestOptions {
  /**
   * How long to wait until the CLI reports the target, in milliseconds. Default: ten seconds. A patched CLI waits at
   * most a minute.
   */
  readonly waitMs?: number | undefined;
}

/** Whether anything was moved to the background. */
export interface BackgroundAnswer {
  /** Whether anything was moved. */
  readonly backgrounded: boolean;
}

const WAIT_MS = 10_000;
/** How much longer than the wait itself a patched CLI may take. */
const MARGIN_MS = 10_000;

interface Job {
  readonly call: Call;
  readonly facts: CliFacts;
  readonly options: BackgroundOptions;
}

/** Moves running foreground work to the background: one tool call, task or agent, or all of it. */
export async function moveToBackground(
  target: string | undefined,
  { call, facts: getFacts, options }: Omit<Job, 'facts'> & { readonly facts: GetFacts },
): Promise<BackgroundAnswer> {
  const facts = await getFacts();
  const served = resolveEndpoint('agent_run_to_background', facts);
  if (served.how === 'no') throw unsupported('agent_run_to_background', facts, served.help ?? '');
  const job = { call, facts, options };
  return served.how === 'patched' ? movePatched(target, job) : moveByCalls(target, job);
}

/** A patched CLI knows its own work, and waits for work that has not started yet. */
async function movePatched(
  target: string | undefined,
  { call, options: { waitMs, ...options } }: Job,
): Promise<BackgroundAnswer> {
  const params = { target_id: target, wait_ms: target === undefined ? 0 : (waitMs ?? WAIT_MS) };
  // Our deadline must not come before the end of the wait.
  const patientMs = waitMs === undefined ? undefined : waitMs + MARGIN_MS;
  const answer: Readonly<Record<string, unknown>> = await call('agent_run_to_background', params, {
    ...options,
    deadlineMs: options.deadlineMs ?? patientMs,
  });
  return { backgrounded: answer.backgrounded === true };
}

/** Other CLIs move work by its tool call, and only work that they have reported. */
async function moveByCalls(
  target: string | undefined,
  { call, facts, options: { waitMs = WAIT_MS, ...options } }: Job,
): Promise<BackgroundAnswer> {
  const ms = Math.min(waitMs, options.deadlineMs ?? waitMs);
  const ids = target === undefined ? runningCalls(facts) : [await callOf(target, ms, facts, options.signal)];
  const moved: boolean[] = [];
  for (const id of ids) {
    const { backgrounded } = await call('background_tasks', { tool_use_id: id }, options);
    moved.push(backgrounded === true);
  }
  return { backgrounded: moved.includes(true) };
}

function runningCalls({ tasks }: CliFacts): readonly string[] {
  return tasks.foreground.flatMap(({ toolUseId }) => toolUseId ?? []);
}

async function callOf(
  target: string,
  ms: number,
  { tasks, clock }: CliFacts,
  signal: AbortSignal | undefined,
): Promise<string> {
  const task = await tasks.wait(target, { ms, clock, signal });
  return task?.toolUseId ?? target;
}
