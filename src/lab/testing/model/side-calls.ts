import type { ModelRequest } from './request.js';

/** Requests for so few tokens are probes: is the key good, is there quota. */
const TINY_MAX_TOKENS = 16;

/** The model family that CLIs use for helper calls: titles, command prefixes, paths in output. */
const SMALL_MODEL = /haiku/i;

/**
 * Whether a CLI made this request for itself and not for the conversation. Told from its structure alone:
 * a conversation offers tools, while probes, helper calls and most warm-ups of sub-agents offer none.
 * @param isAwaited whether a step waits for this very text, which speaks for a conversation without tools.
 */
export function isSideCall(request: ModelRequest, isAwaited: () => boolean = () => false): boolean {
  if (request.maxTokens !== undefined && request.maxTokens <= TINY_MAX_TOKENS) return true;
  if (isWarmUp(request)) return true;
  if (request.toolNames.length > 0) return false;
  // Without a session id it is no CLI, but a client of somebody's own that has no side calls.
  if (request.sessionId === undefined) return false;
  return SMALL_MODEL.test(request.model ?? '') || !isAwaited();
}

/** Some old CLIs warm up sub-agents with the tools that those have. */
function isWarmUp({ messages, userText }: ModelRequest): boolean {
  return messages.length === 1 && userText === 'Warmup';
}
