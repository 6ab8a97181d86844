import { STATUS_CODES } from 'node:http';
import type { CommandError } from '../../../entry/remote/contract.js';
import type { ErrorCode } from '../../../wire/util/error-codes.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { commandError } from '../commands/errors.js';

/** The API's path. */
export const API_PATH = '/api/v1';
/** The path for MCP clients. */
export const MCP_PATH = '/mcp';

/** The problem with one field. */
interface FieldFault {
  readonly pointer: string;
  readonly detail: string;
}

/** An error to send to a client. */
export class HttpProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldFault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    {
      detail,
      errors,
      headers = {},
    }: {
      readonly detail: string;
      readonly errors?: readonly FieldFault[] | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    },
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.headers = headers;
  }
}

/** HTTP statuses by error; anything else is a bad request. */
const STATUSES: Partial<Record<ErrorCode, number>> = {
  ROLE_REFUSED: 403,
  BYPASS_REFUSED: 403,
  FOLDER_REFUSED: 403,
  WEBHOOK_REFUSED: 403,
  WEBHOOK_UNKNOWN: 404,
  SESSION_UNKNOWN: 404,
  SESSION_MISSING: 404,
  MCP_SERVER_UNKNOWN: 404,
  SESSION_ENDED: 409,
  FILE_CHANGED: 409,
  CONVERSATION_BUSY: 409,
  ENDPOINT_UNSUPPORTED: 501,
  REQUEST_REFUSED: 502,
  CLI_ENDED: 502,
  HANDSHAKE_REFUSED: 502,
  HANDSHAKE_ENDED: 502,
  POLICY_REFUSED: 502,
  SIGN_IN_REQUIRED: 502,
  CONFIG_INVALID: 502,
  CONFIG_UNAVAILABLE: 502,
  MACHINE_UNFIT: 502,
  SESSION_HELD: 409,
  SPAWN_FAILED: 502,
  CLI_NOT_FOUND: 502,
  OWNER_AWAY: 503,
  REQUEST_TIMEOUT: 504,
  HANDSHAKE_TIMEOUT: 504,
};

/** The answer to a failed request, whatever the error; internal errors also go to `onFailure`. */
export function problemResponse(error: unknown, onFailure?: (error: unknown) => void): Response {
  if (error instanceof HttpProblem) {
    const { status, code, message, errors, headers } = error;
    return respond(status, { detail: message, code, errors }, headers);
  }
  if (error instanceof CoxswainError) return ofCommand(commandError(error));
  // The cause stays here: it may contain paths and secrets.
  onFailure?.(error);
  return respond(500, { detail: 'The server failed.', code: 'SERVER_FAILED' });
}

function ofCommand({ code, message, reason, errorCode }: CommandError): Response {
  return respond(STATUSES[code as ErrorCode] ?? 400, { detail: message, code, reason, errorCode });
}

function respond(status: number, rest: object, headers: Readonly<Record<string, string>> = {}): Response {
  const body = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, ...rest };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
}
