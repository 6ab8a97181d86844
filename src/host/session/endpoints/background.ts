import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { Call } from '../controls/call.js';
import type { CliFacts, GetFacts } from './cli-facts.js';
import { resolveEndpoint, unsupported } from './resolve.js';

/** Options for moving work to the background. */
export interface BackgroundOptions extends RequestOptions {
  /**
   * How long to wait until the target can be moved, in milliseconds; without a target, until anything can. Default: ten
   * seconds, or 0 without a target while no tool runs. A patched CLI waits at most a minute.
   */
  readonly waitMs?: number | undefined;
}

/** Whether anything was moved to the background. */
export interface BackgroundAnswer {
  /** Whether anything was moved. */
  readonly backgrounded: boolean;
}

const WAIT_MS = 10_000;
/** Some CLIs do not report when a command can be moved. */
const AGAIN_MS = 250;
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
  { call, facts, options }: Job,
): Promise<BackgroundAnswer> {
  const { waitMs, ...rest } = options;
  const params = { target_id: target, wait_ms: waitFor(target, facts, waitMs) };
  // Our deadline must not come before the end of the wait.
  const patientMs = waitMs === undefined ? undefined : waitMs + MARGIN_MS;
  const answer: Readonly<Record<string, unknown>> = await call('agent_run_to_background', params, {
    ...rest,
    deadlineMs: options.deadlineMs ?? patientMs,
  });
  return { backgrounded: answer.backgrounded === true };
}

/** Other CLIs move work by its tool call, and refuse calls that cannot be moved, or not yet. */
async function moveByCalls(
  target: string | undefined,
  { call, facts, options }: Job,
): Promise<BackgroundAnswer> {
  const { waitMs, ...rest } = options;
  const { tasks, clock } = facts;
  const ms = waitFor(target, facts, waitMs);
  const until = clock.now() + Math.min(ms, options.deadlineMs ?? ms);
  for (;;) {
    let isMoved = false;
    const ids = target === undefined ? tasks.foregroundCalls : [tasks.find(target)?.toolUseId ?? target];
    // What the CLI has reported, it has also decided on.
    const isDecided = ids.length > 0 && ids.every((id) => tasks.find(id) !== undefined);
    for (const id of ids) {
      const { backgrounded } = await call('background_tasks', { tool_use_id: id }, rest);
      isMoved ||= backgrounded === true;
    }
    const left = until - clock.now();
    const isOver = isDecided || left <= 0 || (ids.length === 0 && options.signal?.aborted === true);
    if (isMoved || isOver) return { backgrounded: isMoved };
    await tasks.next({ ms: Math.min(left, AGAIN_MS), clock, signal: options.signal });
  }
}

/** Without a target and without a running tool there is usually nothing to wait for. */
function waitFor(target: string | undefined, { tasks }: CliFacts, waitMs: number | undefined): number {
  return waitMs ?? (target === undefined && tasks.foregroundCalls.length === 0 ? 0 : WAIT_MS);
}
