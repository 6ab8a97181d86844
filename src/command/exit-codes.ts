import type { TurnOutcome } from '../host/session/turns/outcome.js';
import type { ErrorCode } from '../wire/util/error-codes.js';

/** Every exit code, with its meaning in the reference page. */
export const exitCodes = {
  0: 'success',
  1: 'the turn, the CLI or the command failed',
  2: 'wrong arguments',
  3: 'timed out',
  4: 'no such session',
  5: 'a prompt was denied, or nobody could answer it',
  6: 'the turn limit or the budget was reached',
  7: 'no usable CLI',
  8: 'the CLI broke the protocol',
  9: 'the API refused the credentials or limited the rate',
  10: 'a check found something: problems, differences, steps that were not used',
  129: 'stopped because the terminal was closed',
  130: 'stopped by Ctrl-C',
  141: 'stopped because stdout was closed',
  143: 'stopped by SIGTERM',
} as const;

/** Success. */
export const EXIT_OK = 0;
/** Something went wrong while running. */
export const EXIT_FAILED = 1;
/** The command line is wrong. */
export const EXIT_USAGE = 2;
/** Something took too long. */
const EXIT_TIMEOUT = 3;
/** A request was denied, or nobody was there to answer it. */
export const EXIT_DENIED = 5;
/** The turn limit or the budget was reached. */
const EXIT_LIMIT = 6;
/** No usable CLI was found. */
export const EXIT_NO_CLI = 7;
/** The CLI broke the protocol. */
const EXIT_PROTOCOL = 8;
/** The API refused the key, or the rate limit was reached. */
const EXIT_ACCOUNT = 9;
/** A check found problems: a script that did not finish, a replay that differs. */
export const EXIT_CHECK_FAILED = 10;

type ListedCode = keyof typeof exitCodes;

/** The exit code for an error. */
export function exitCodeOf(code: ErrorCode): number {
  return EXIT_CODES[code] ?? EXIT_FAILED;
}

/** The exit code for a turn's outcome. */
export function exitCodeOfOutcome(kind: TurnOutcome['kind']): number {
  return OUTCOME_CODES[kind] ?? EXIT_FAILED;
}

const EXIT_CODES: Readonly<Partial<Record<ErrorCode, ListedCode>>> = {
  OPTION_INVALID: EXIT_USAGE,
  CWD_INVALID: EXIT_USAGE,
  ROOT_BYPASS: EXIT_USAGE,
  REQUEST_TIMEOUT: EXIT_TIMEOUT,
  HANDSHAKE_TIMEOUT: EXIT_TIMEOUT,
  SESSION_MISSING: 4,
  SESSION_UNKNOWN: 4,
  CLI_NOT_FOUND: EXIT_NO_CLI,
  CLI_NOT_EXECUTABLE: EXIT_NO_CLI,
  INTERPRETER_NOT_FOUND: EXIT_NO_CLI,
  CLI_TOO_OLD: EXIT_NO_CLI,
  CLI_WRONG_PLATFORM: EXIT_NO_CLI,
  ENDPOINT_UNSUPPORTED: EXIT_NO_CLI,
  PROTOCOL_ERROR: EXIT_PROTOCOL,
  HANDSHAKE_REFUSED: EXIT_PROTOCOL,
  MODEL_SCRIPT_FAILED: EXIT_CHECK_FAILED,
  EMULATOR_SCENARIO_FAILED: EXIT_CHECK_FAILED,
  REPLAY_MISMATCH: EXIT_CHECK_FAILED,
};

const OUTCOME_CODES: Readonly<Partial<Record<TurnOutcome['kind'], ListedCode>>> = {
  success: EXIT_OK,
  stalled: EXIT_TIMEOUT,
  'max-turns': EXIT_LIMIT,
  budget: EXIT_LIMIT,
  'rate-limited': EXIT_ACCOUNT,
  auth: EXIT_ACCOUNT,
};
