import type { ErrorCode } from '../util/error-codes.js';

/** All went well. */
export const EXIT_OK = 0;
/** Something went wrong while running. */
export const EXIT_FAILED = 1;
/** The command line is wrong. */
export const EXIT_USAGE = 2;
/** A check found problems: a script that did not finish, a replay that differs. */
export const EXIT_CHECK_FAILED = 10;

/** The exit code that an error ends a command with. */
export function exitCodeOf(code: ErrorCode): number {
  return EXIT_CODES[code] ?? EXIT_FAILED;
}

const EXIT_CODES: Readonly<Partial<Record<ErrorCode, number>>> = {
  OPTION_INVALID: EXIT_USAGE,
  CWD_INVALID: EXIT_USAGE,
  REQUEST_TIMEOUT: 3,
  CLI_NOT_FOUND: 7,
  CLI_NOT_EXECUTABLE: 7,
  INTERPRETER_NOT_FOUND: 7,
  CLI_WRONG_PLATFORM: 7,
  PROTOCOL_ERROR: 8,
  MODEL_SCRIPT_FAILED: EXIT_CHECK_FAILED,
};
