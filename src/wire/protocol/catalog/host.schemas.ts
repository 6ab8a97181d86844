import { accountSchemas } from './host/account-requests.schemas.js';
import { conversationSchemas } from './host/conversation-requests.schemas.js';
import { dialogSchemas } from './host/dialog-requests.schemas.js';
import { fileSchemas } from './host/file-requests.schemas.js';
import { initializeSchemas } from './host/initialize-request.schemas.js';
import { mcpSchemas } from './host/mcp-requests.schemas.js';
import { patchedSchemas } from './host/patched-requests.schemas.js';
import { reportSchemas } from './host/report-requests.schemas.js';
import { settingsSchemas } from './host/setting-requests.schemas.js';
import { taskSchemas } from './host/task-requests.schemas.js';

type Initialize = typeof initializeSchemas;
type Conversation = typeof conversationSchemas;
type Mcp = typeof mcpSchemas;
type Tasks = typeof taskSchemas;
type Settings = typeof settingsSchemas;
type Files = typeof fileSchemas;
type Reports = typeof reportSchemas;
type Dialogs = typeof dialogSchemas;
type Account = typeof accountSchemas;
type PatchedNames = typeof patchedSchemas;

/** The types of {@link hostRequestSchemas}, one interface so that declarations stay small. */
export interface HostRequestSchemas
  extends Initialize,
    Conversation,
    Mcp,
    Tasks,
    Settings,
    Files,
    Reports,
    Dialogs,
    Account,
    PatchedNames {}

/** Parameters (without `subtype`) and answer of every host request; a missing answer value reads as `{}`. */
export const hostRequestSchemas: HostRequestSchemas = {
  ...initializeSchemas,
  ...conversationSchemas,
  ...mcpSchemas,
  ...taskSchemas,
  ...settingsSchemas,
  ...fileSchemas,
  ...reportSchemas,
  ...dialogSchemas,
  ...accountSchemas,
  ...patchedSchemas,
};
