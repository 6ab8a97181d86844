export type { RequestOptions } from '../peer/control-peer.js';
export type { RequestContext, RequestHandler } from '../peer/received-requests.js';
export { RefusedError } from '../peer/refused-error.js';
export type { RequestBody, WireObject } from '../protocol/frames.js';
export { CliEndedError } from '../session/cli-ended-error.js';
export type { HookCallback, HookContext, HookMatcher, Hooks } from '../session/cli-requests/hooks.js';
export type {
  AllowOptions,
  OnPermission,
  PermissionAnswer,
  PermissionRequest,
} from '../session/cli-requests/permission.js';
export type {
  OnQuestion,
  Question,
  QuestionAnswers,
  QuestionForm,
} from '../session/cli-requests/question.js';
export type { AgentDefinition, InitializeOptions } from '../session/initialize.js';
export type { OpenFailure } from '../session/open-error.js';
export { OpenError } from '../session/open-error.js';
export type { TurnOutcome } from '../session/outcome.js';
export type { InterruptOptions, InterruptReceipt, Session, SessionEvents } from '../session/session.js';
export type { BufferOptions, OwnOptions, SessionOptions } from '../session/session-options.js';
export type { SettledOptions } from '../session/settling.js';
export type { SessionState } from '../session/state.js';
export type { TextDelta } from '../session/text-deltas.js';
export type { Receipt, Turn } from '../session/turn.js';
export { TurnFailedError } from '../session/turn-failed-error.js';
export type { TurnUsage } from '../session/usage.js';
export type { ContentBlock, SendOptions, UserInput } from '../session/user-message.js';
export type { CliOptions } from '../transport/subprocess/cli-options.js';
export type { End, Transport } from '../transport/transport.js';
export type { Diagnostic, OnDiagnostic } from '../util/diagnostics.js';
export type { ErrorCode } from '../util/error-codes.js';
export { CoxswainError } from '../util/errors.js';
export { OptionError } from '../util/option-checks.js';
export { ask } from './ask.js';
export { openSession, startSession } from './open-session.js';
