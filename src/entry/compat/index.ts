export { archiveSession, unarchiveSession } from '../../host/transcripts/archive-session.js';
export { deleteSession, renameSession, tagSession } from '../../host/transcripts/change-session.js';
export { foldSummary as foldSessionSummary } from '../../host/transcripts/fold-summary.js';
export { forkSession } from '../../host/transcripts/fork-session.js';
export { importToStore as importSessionToStore } from '../../host/transcripts/import-to-store.js';
export { listSessions } from '../../host/transcripts/list-sessions.js';
export { MemoryStore as InMemorySessionStore } from '../../host/transcripts/memory-store.js';
export { sessionInfo as getSessionInfo } from '../../host/transcripts/session-info.js';
export { sessionMessages as getSessionMessages } from '../../host/transcripts/session-messages.js';
export { listSubagents, subagentMessages as getSubagentMessages } from '../../host/transcripts/subagents.js';
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
export { createSdkMcpServer } from './mcp/official-server.js';
export { tool } from './mcp/official-tool.js';
export {
  CommandMatcher,
  DirectConnectError,
  DirectConnectTransport,
  FileIndex,
  parseDirectConnectUrl,
} from './not-offered.js';
export type * from './official-types.js';
export { prewarm } from './query/prewarm.js';
export { query } from './query/query.js';
export { startup } from './query/startup.js';
export { filterEscalatingDefaultMode } from './settings/default-mode.js';
export { matchDeniedModels } from './settings/denied-models.js';
export { resolveSettings } from './settings/resolve-settings.js';
