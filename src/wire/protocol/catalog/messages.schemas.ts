import { conversationMessageSchemas } from './messages/conversation-messages.schemas.js';
import { hookMessageSchemas } from './messages/hook-messages.schemas.js';
import { modelCallMessageSchemas } from './messages/model-call-messages.schemas.js';
import { otherMessageSchemas } from './messages/other-messages.schemas.js';
import { resultMessageSchemas } from './messages/result-messages.schemas.js';
import { sessionMessageSchemas } from './messages/session-messages.schemas.js';
import { taskMessageSchemas } from './messages/task-messages.schemas.js';
import { undeclaredMessageSchemas } from './messages/undeclared-messages.schemas.js';

type Conversation = typeof conversationMessageSchemas;
type Results = typeof resultMessageSchemas;
type Session = typeof sessionMessageSchemas;
type ModelCalls = typeof modelCallMessageSchemas;
type Hooks = typeof hookMessageSchemas;
type Tasks = typeof taskMessageSchemas;
type Other = typeof otherMessageSchemas;
type Undeclared = typeof undeclaredMessageSchemas;

/** The types of {@link messageSchemas}, one interface so that declarations stay small. */
export interface AllMessageSchemas
  extends Conversation,
    Results,
    Session,
    ModelCalls,
    Hooks,
    Tasks,
    Other,
    Undeclared {}

/** Schema of every message that a CLI sends, by `type` or `type/subtype`. */
export const messageSchemas: AllMessageSchemas = {
  ...conversationMessageSchemas,
  ...resultMessageSchemas,
  ...sessionMessageSchemas,
  ...modelCallMessageSchemas,
  ...hookMessageSchemas,
  ...taskMessageSchemas,
  ...otherMessageSchemas,
  ...undeclaredMessageSchemas,
};
