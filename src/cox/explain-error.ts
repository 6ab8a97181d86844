import type { ErrorCode } from '../util/error-codes.js';
import { CoxswainError } from '../util/errors.js';
import { EXIT_FAILED, exitCodeOf } from './exit-codes.js';

/** What an error prints and which exit code it gives. */
export interface Explanation {
  readonly text: string;
  readonly exitCode: number;
}

/** Says what went wrong, why, and what to do, in a line each; with `debug` also where in the code. */
export function explainError(error: unknown, { debug = false } = {}): Explanation {
  const known = error instanceof CoxswainError ? error : undefined;
  const what = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
  const hint = known === undefined ? UNKNOWN_HINT : HINTS[known.code];
  const lines = [
    `coxswain: ${what}${known === undefined ? '' : ` [${known.code}]`}`,
    // Many messages already end with their cause.
    ...(cause === undefined || what.includes(cause) ? [] : [`why: ${cause}`]),
    ...(hint === undefined ? [] : [`what to do: ${hint}`]),
    ...(debug && error instanceof Error && error.stack !== undefined ? [error.stack] : []),
  ];
  return {
    text: `${lines.join('\n')}\n`,
    exitCode: known === undefined ? EXIT_FAILED : exitCodeOf(known.code),
  };
}

const UNKNOWN_HINT = 'run it again with --debug and report what it prints: this is a fault in coxswain.';

const HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  OPTION_INVALID: 'correct the value that is named; --help lists what the command takes.',
  CLI_NOT_FOUND: 'install the Claude CLI, or give its path in CLAUDE_CODE_PATH.',
  CLI_WRONG_PLATFORM: 'install the build of the Claude CLI for this system.',
  CWD_INVALID: 'give a folder that exists.',
  MODEL_NOT_STARTED: 'choose another port with --port, or leave it out to get a free one.',
  MODEL_SCRIPT_FAILED: 'compare the two columns: change the script, or what was sent to the CLI.',
};
