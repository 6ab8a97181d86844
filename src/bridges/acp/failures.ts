import { RequestError } from '@agentclientprotocol/sdk';
import type { TurnOutcome } from '../../host/session/turns/outcome.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';

/** An error of the client. */
export function misuse(message: string): RequestError {
  return RequestError.invalidParams(undefined, message);
}

/** Credentials are missing or were refused: clients then offer the ways to log in. */
export function notLoggedIn(message: string): RequestError {
  return RequestError.authRequired(undefined, message);
}

const MISUSES: ReadonlySet<string> = new Set([
  'OPTION_INVALID',
  'CWD_INVALID',
  'MESSAGE_INVALID',
  'ROOT_BYPASS',
  'ENDPOINT_UNSUPPORTED',
  'FOLDER_REFUSED',
  'BYPASS_REFUSED',
]);
const MISSING: ReadonlySet<string> = new Set(['CONVERSATION_UNKNOWN', 'SESSION_MISSING', 'SESSION_UNKNOWN']);

/** Turns any failure into an error of the protocol, with our error code in its data. */
export function protocolError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const message = errorText(error);
  if (!(error instanceof CoxswainError)) return RequestError.internalError(undefined, message);
  const data = { code: error.code };
  if (MISSING.has(error.code)) return new RequestError(RESOURCE_NOT_FOUND, message, data);
  if (MISUSES.has(error.code)) return RequestError.invalidParams(data, message);
  return RequestError.internalError(data, message);
}

const RESOURCE_NOT_FOUND = -32_002;

/** Why a turn has no stop reason: it failed. */
export function turnFailure(outcome: TurnOutcome): RequestError {
  switch (outcome.kind) {
    case 'auth':
      return notLoggedIn(outcome.message);
    case 'cli-ended':
      return protocolError(outcome.error);
    case 'stalled':
      return RequestError.internalError(outcome, 'The CLI sent nothing for too long.');
    default:
      return RequestError.internalError(
        { kind: outcome.kind },
        'message' in outcome ? outcome.message : `The turn ended: ${outcome.kind}.`,
      );
  }
}
