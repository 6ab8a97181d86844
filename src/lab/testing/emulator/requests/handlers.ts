import type { Handlers } from '../asking/host-request.js';
import { conversationHandlers } from './conversation-requests.js';
import { dialogHandlers } from './dialog-requests.js';
import { fileHandlers } from './file-requests.js';
import { initialize } from './initialize-requests.js';
import { mcpHandlers } from './mcp-requests.js';
import { reportHandlers } from './report-requests.js';
import { accountHandlers, sessionHandlers, taskHandlers } from './session-requests.js';
import { settingsHandlers } from './setting-requests.js';

/** Every request that any CLI serves; the ledger knows which version serves which. */
export const handlers: Handlers = {
  initialize,
  ...conversationHandlers,
  ...mcpHandlers,
  ...sessionHandlers,
  ...taskHandlers,
  ...settingsHandlers,
  ...fileHandlers,
  ...reportHandlers,
  ...dialogHandlers,
  ...accountHandlers,
};
