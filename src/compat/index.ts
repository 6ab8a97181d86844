export { archiveSession, unarchiveSession } from '../sessions/archive-session.js';
export { renameSession, tagSession } from '../sessions/change-session.js';
export { deleteSession } from '../sessions/delete-session.js';
export { foldSummary as foldSessionSummary } from '../sessions/fold-summary.js';
export { forkSession } from '../sessions/fork-session.js';
export { importToStore as importSessionToStore } from '../sessions/import-to-store.js';
export { listSessions } from '../sessions/list-sessions.js';
export { MemoryStore as InMemorySessionStore } from '../sessions/memory-store.js';
export { sessionInfo as getSessionInfo } from '../sessions/session-info.js';
export { sessionMessages as getSessionMessages } from '../sessions/session-messages.js';
export { listSubagents, subagentMessages as getSubagentMessages } from '../sessions/subagents.js';
export {
  BUILTIN_TOOL_NAMES,
  EXIT_REASONS,
  HOOK_EVENTS,
  LEGACY_TOOL_NAME_ALIASES,
  ORG_POLICY_LIMIT_PREFIXES,
  SYSTEM_PROMPT_DYNAMIC_BOUNDARY,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from './constants.js';
export { AbortError } from './errors.js';
export { createSdkMcpServer } from './mcp/server.js';
export { tool } from './mcp/tool.js';
export {
  CommandMatcher,
  DirectConnectError,
  DirectConnectTransport,
  FileIndex,
  parseDirectConnectUrl,
  prewarm,
} from './not-offered.js';
export { query } from './query/query.js';
export { startup } from './query/startup.js';
export { filterEscalatingDefaultMode } from './settings/default-mode.js';
export { matchDeniedModels } from './settings/denied-models.js';
export { resolveSettings } from './settings/resolve-settings.js';
export type * from './types/agents.js';
export type * from './types/callbacks.js';
export type * from './types/hooks.js';
export type * from './types/mcp.js';
export type * from './types/messages.js';
export type * from './types/options.js';
export type * from './types/permissions.js';
export type * from './types/process.js';
export type * from './types/query.js';
export type * from './types/settings.js';
export type * from './types/stores.js';
export type * from './types/tools.js';
export type * from './types/usage.js';
export type * from './types/words.js';
