import { randomUUID } from 'node:crypto';
import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { resultUsage } from '../turns/result-details.js';
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
  const conversation = entries.flatMap(({ message, isSidechain }) =>
    isObject(message) && isSidechain !== true && message.model !== '<synthetic>'
      ? [{ role: message.role, content: message.content }]
      : [],
  );
  const isDeferred = launch.traits.makesDeferredCalls && entries.at(-1)?.type === 'result';
  return { id: flags.has('--fork-session') ? own : asked, userMessageIds, conversation, isDeferred };
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
