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
export type { CreateSdkMcpServerOptions } from './mcp/official-server.js';
export { createSdkMcpServer } from './mcp/official-server.js';
export type { ToolExtras } from './mcp/official-tool.js';
export { tool } from './mcp/official-tool.js';
export {
  CommandMatcher,
  DirectConnectError,
  DirectConnectTransport,
  FileIndex,
  parseDirectConnectUrl,
} from './not-offered.js';
export { prewarm } from './query/prewarm.js';
export { query } from './query/query.js';
export { startup } from './query/startup.js';
export { filterEscalatingDefaultMode } from './settings/default-mode.js';
export { matchDeniedModels } from './settings/denied-models.js';
export { resolveSettings } from './settings/resolve-settings.js';
export type * from './types/agent-types.js';
export type * from './types/callback-types.js';
export type * as declared from './types/declared.js';
export type * from './types/hook-types.js';
export type * from './types/mcp-types.js';
export type * from './types/message-types.js';
export type * from './types/option-types.js';
export type * from './types/permission-types.js';
export type * from './types/process-types.js';
export type * from './types/query-types.js';
export type * from './types/setting-types.js';
export type * from './types/store-types.js';
export type * from './types/tool-types.js';
export type * from './types/usage-types.js';
export type * as modelApi from './types/users-model-api.js';
export type * from './types/words.js';
