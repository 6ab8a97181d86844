import { randomUUID } from 'node:crypto';
import { contentOf, isObject, objectsIn, type WireObject } from '../../../../wire/protocol/frames.js';
import type { SessionState } from '../session-state.js';
import { resultUsage, sumOf } from '../turns/result-details.js';
import type { Traits } from '../versions/traits.js';
import type { Launch, Refusal } from './arguments.js';
import { lastValue } from './arguments.js';
import { newestSession, projectFolder, readTranscript } from './transcript.js';

/** The resumed session, or a new one. */
export interface Resumed {
  readonly id: string;
  readonly userMessageIds: readonly string[];
  /** The model's earlier conversation. */
  readonly conversation: readonly WireObject[];
  /** Whether it ended with a deferred call. */
  readonly isDeferred: boolean;
  /** What it had cost, for versions that continue from there. */
  readonly costs?: unknown;
}

/** Finds the conversation for `--resume` or `--continue`. */
export function resumedSession(launch: Launch): Resumed | Refusal {
  const { flags } = launch.args;
  const folder = projectFolder(launch.env, launch.cwd);
  const continued = flags.has('--continue') || flags.has('-c');
  const asked =
    lastValue(launch.args, '--resume') ??
    lastValue(launch.args, '-r') ??
    (continued ? newestSession(folder) : undefined);
  const own = lastValue(launch.args, '--session-id') ?? randomUUID();
  if (asked === undefined && continued) return { code: 1, stderr: 'No conversation found to continue\n' };
  if (asked === undefined) return { id: own, userMessageIds: [], conversation: [], isDeferred: false };
  const entries = readTranscript(folder, asked);
  if (entries === undefined) return notFound(launch.traits, asked);
  const users = entries.filter(({ type }) => type === 'user');
  const userMessageIds = users.flatMap(({ uuid }) => (typeof uuid === 'string' ? [uuid] : []));
  const conversation = heardAgain(entries, launch.traits).flatMap(({ message, isSidechain }) =>
    isObject(message) && isSidechain !== true && message.model !== '<synthetic>'
      ? [{ role: message.role, content: message.content }]
      : [],
  );
  const isDeferred = launch.traits.makesDeferredCalls && entries.at(-1)?.type === 'result';
  const costs = launch.traits.continuesCosts
    ? entries.findLast(({ type }) => type === COSTS)?.message
    : undefined;
  return { id: flags.has('--fork-session') ? own : asked, userMessageIds, conversation, isDeferred, costs };
}

/** The entry of a transcript that has the costs so far. */
export const COSTS = 'costs';

/** Counts on from what a resumed conversation had cost. */
export function continueCosts(state: SessionState, { costs }: Resumed): void {
  if (!isObject(costs) || !isObject(costs.calls)) return;
  state.totalCost = Number(costs.totalCost);
  for (const [model, count] of Object.entries(costs.calls)) state.calls.set(model, Number(count));
  state.countedCalls = sumOf(state.calls);
}

/** Some versions lose all but the last of several calls that were made at once, with their results. */
function heardAgain(entries: readonly WireObject[], traits: Traits): readonly WireObject[] {
  const said = inOrder(entries.filter(({ type }) => type === 'user' || type === 'assistant'));
  if (traits.keepsParallelCalls) return said;
  const lost = new Set<unknown>();
  for (const [at, entry] of said.entries()) {
    const [call] = callsIn(entry);
    if (call !== undefined && callsIn(said[at + 1] ?? {}).length > 0) lost.add(call.id);
  }
  return said.filter(
    (entry) => !objectsIn(contentOf(entry)).some(({ id, tool_use_id: of }) => lost.has(of ?? id)),
  );
}

/** The results of calls that were made at once come as they are ready; the model gets them in the order of the calls. */
function inOrder(entries: readonly WireObject[]): readonly WireObject[] {
  const calls = entries.flatMap(callsIn).map(({ id }) => id);
  const place = (entry: WireObject) => calls.indexOf(objectsIn(contentOf(entry))[0]?.tool_use_id);
  const ordered: WireObject[] = [];
  for (const entry of entries) {
    const isLater = (other: WireObject) => place(entry) < 0 || place(other) < place(entry);
    const after = ordered.findLastIndex(isLater);
    ordered.splice(after + 1, 0, entry);
  }
  return ordered;
}

function callsIn(entry: WireObject): readonly WireObject[] {
  return objectsIn(contentOf(entry)).filter(({ type }) => type === 'tool_use');
}

/** The oldest versions print it to stderr, later ones to stdout, newer ones to both. */
export function notFound(traits: Traits, id: string): Refusal {
  const text = `No conversation found with session ID: ${id}`;
  const stderr = traits.tellsUnknownSession && !traits.detailed ? '' : `${text}\n`;
  if (!traits.tellsUnknownSession) return { code: 1, stderr };
  const message = {
    type: 'result',
    subtype: 'error_during_execution',
    is_error: true,
    errors: [text],
    ...NOTHING_DONE,
    usage: resultUsage(traits, 0),
    ...(traits.detailed ? { stop_reason: null, result_index: 0 } : {}),
  };
  return { code: 1, stderr, message: { ...message, session_id: randomUUID(), uuid: randomUUID() } };
}

const NOTHING_DONE = {
  duration_ms: 0,
  duration_api_ms: 0,
  num_turns: 0,
  total_cost_usd: 0,
  modelUsage: {},
  permission_denials: [],
} as const;
