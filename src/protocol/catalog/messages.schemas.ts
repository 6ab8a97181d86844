import { conversationMessageSchemas } from './messages/conversation.schemas.js';
import { hookMessageSchemas } from './messages/hooks.schemas.js';
import { modelCallMessageSchemas } from './messages/model-calls.schemas.js';
import { otherMessageSchemas } from './messages/other.schemas.js';
import { resultMessageSchemas } from './messages/result.schemas.js';
import { sessionMessageSchemas } from './messages/session.schemas.js';
import { taskMessageSchemas } from './messages/tasks.schemas.js';
import { undeclaredMessageSchemas } from './messages/undeclared.schemas.js';

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
