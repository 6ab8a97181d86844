import { accountSchemas } from './host/account.schemas.js';
import { conversationSchemas } from './host/conversation.schemas.js';
import { dialogSchemas } from './host/dialogs.schemas.js';
import { fileSchemas } from './host/files.schemas.js';
import { initializeSchemas } from './host/initialize.schemas.js';
import { mcpSchemas } from './host/mcp.schemas.js';
import { reportSchemas } from './host/reports.schemas.js';
import { seedNameSchemas } from './host/seed-names.schemas.js';
import { settingsSchemas } from './host/settings.schemas.js';
import { taskSchemas } from './host/tasks.schemas.js';

type Initialize = typeof initializeSchemas;
type Conversation = typeof conversationSchemas;
type Mcp = typeof mcpSchemas;
type Tasks = typeof taskSchemas;
type Settings = typeof settingsSchemas;
type Files = typeof fileSchemas;
type Reports = typeof reportSchemas;
type Dialogs = typeof dialogSchemas;
type Account = typeof accountSchemas;
type SeedNames = typeof seedNameSchemas;

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
    SeedNames {}

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
  ...seedNameSchemas,
};
