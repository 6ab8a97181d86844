import { OpenError } from '../host/core/connection/open-error.js';
import { type ErrorCode, errorCodes } from '../wire/util/error-codes.js';
import { errorText } from '../wire/util/error-text.js';
import { CoxswainError } from '../wire/util/errors.js';
import { OptionError } from '../wire/util/option-checks.js';
import { plain } from '../wire/util/plain.js';
import { EXIT_FAILED, exitCodeOf } from './exit-codes.js';
import { inFlags } from './flag-names.js';

/** What to print for an error, and its exit code. */
export interface Explanation {
  readonly text: string;
  readonly exitCode: number;
}

/** Says what went wrong, why, and what to do, one line each; with `debug` also the stack. */
export function explainError(error: unknown, { debug = false } = {}): Explanation {
  const known = error instanceof CoxswainError ? error : undefined;
  const text = plain(errorText(error));
  const message = error instanceof OptionError ? inFlags(text) : text;
  const open = error instanceof OpenError ? error : undefined;
  // The details of a failed open are on separate lines, and the code belongs on the first. The hint comes
  // last.
  const said = open === undefined ? [message] : message.split('\n');
  const [what = '', ...told] = said.filter(
    (line) => open?.hint === undefined || !line.startsWith('  hint: '),
  );
  // For an unknown id, the CLI's own message adds nothing.
  const isMissing = known?.code === 'SESSION_MISSING';
  const details = isMissing ? [] : told;
  const cause = isMissing ? undefined : causeOf(error);
  const hint = known === undefined ? hintForUnknown(error) : (openHint(open) ?? hintForKnown(known));
  const lines = [
    `coxswain: ${what}${known === undefined ? '' : ` [${known.code}]`}`,
    ...details,
    // Many messages already end with their cause, and the details of a failed open are more precise.
    ...(cause === undefined || message.includes(cause) || details.length > 0 ? [] : [`why: ${plain(cause)}`]),
    ...(hint === undefined ? [] : [`what to do: ${hint}`]),
    ...(debug && error instanceof Error && error.stack !== undefined ? [error.stack] : []),
  ];
  return {
    text: `${lines.join('\n')}\n`,
    exitCode: known === undefined ? EXIT_FAILED : exitCodeOf(known.code),
  };
}

function causeOf(error: unknown): string | undefined {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
}

/** The hint of a failed open, unless it mentions SDK options, which do not exist on the command line. */
function openHint(open: OpenError | undefined): string | undefined {
  return open?.hint === undefined || SDK_WORDS.test(open.hint) ? undefined : open.hint;
}

const SDK_WORDS = /onMissing|handshakeMs/;

/** What to do about an error with this code, for someone who is already running the doctor. */
export function hintFor(code: string | undefined): string {
  if (code === undefined || !isErrorCode(code)) return UNKNOWN_HINT;
  return (
    DOCTOR_HINTS[code] ?? HINTS[code] ?? 'read the messages above, and run the command again with --debug.'
  );
}

/** Wrong use that is not a wrong value, such as a missing terminal, says itself what to do. */
function hintForKnown(error: CoxswainError): string | undefined {
  if (isFileTrouble(error.cause) && FILE_CODES.has(error.code)) return FILE_HINT;
  return error.code === 'OPTION_INVALID' && !(error instanceof OptionError) ? undefined : HINTS[error.code];
}

/** A problem with a file that the user named is not our bug. */
function hintForUnknown(error: unknown): string {
  return isFileTrouble(error) ? FILE_HINT : UNKNOWN_HINT;
}

function isFileTrouble(error: unknown): boolean {
  return error instanceof Error && 'path' in error && 'code' in error && FILE_TROUBLE.has(String(error.code));
}

const FILE_TROUBLE = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC']);
const FILE_CODES: ReadonlySet<string> = new Set(['OPTION_INVALID', 'TRACE_INVALID']);
const FILE_HINT = 'check that the path exists, that you may use it, and that the disk is not full.';

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}

const UNKNOWN_HINT = 'run it again with --debug and report the output: this is a bug in coxswain.';

/** The doctor must not recommend the doctor. */
const DOCTOR_HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  HANDSHAKE_TIMEOUT:
    'check for a slow MCP server, because old CLIs wait for them, or allow more time with --timeout.',
  HANDSHAKE_ENDED: 'read the stderr output of the CLI, or run its command line by hand.',
  HANDSHAKE_REFUSED: 'report this output: this CLI does not follow the protocol.',
};

/** What to do about errors, by code; the reference page shows it too. */
export const HINTS: Readonly<Partial<Record<ErrorCode, string>>> = {
  OPTION_INVALID: 'see --help for the options.',
  CLI_NOT_FOUND:
    'run npm install @anthropic-ai/claude-code, or set the path of your CLI with --cli or CLAUDE_CODE_PATH.',
  CLI_NOT_EXECUTABLE: 'make the file executable, or choose another one with --cli.',
  INTERPRETER_NOT_FOUND: 'install that program, or choose another CLI with --cli.',
  CLI_TOO_OLD: 'update the Claude CLI.',
  CLI_WRONG_PLATFORM: 'install the build of the Claude CLI for this system.',
  CWD_INVALID: 'use a folder that exists.',
  ROOT_BYPASS: 'run it as a non-root user, or choose another --permission-mode.',
  SESSION_MISSING: 'check the id, the working folder and HOME; a session exists only for that combination.',
  HANDSHAKE_TIMEOUT: 'run npx coxswain doctor; with old CLIs the usual cause is a slow MCP server.',
  HANDSHAKE_ENDED: 'run npx coxswain doctor, and read the stderr output of the CLI.',
  HANDSHAKE_REFUSED: 'run npx coxswain doctor, and report its output.',
  CONSOLE_NOT_FOUND:
    'start one with npx coxswain console, or choose one with --url or --state; a demo prints its --state.',
  SESSION_UNKNOWN: 'list the sessions with npx coxswain ps --all.',
  SPAWN_FAILED: 'check that the file runs by hand with --version.',
  MODEL_NOT_STARTED: 'choose another port with --port, or leave it out to get a free one.',
  TRACE_INVALID: 'use a file written by coxswain tap or the option `record`.',
  TRACE_TOO_NEW: 'update Coxswain to that version.',
  STORE_TOO_NEW: 'update Coxswain to that version.',
  STORE_IN_USE: 'stop the other process, or use another folder.',
  ENDPOINT_UNSUPPORTED: 'use a CLI version that the message names.',
  CLI_NOT_PATCHABLE: 'use it as it is: patches are only for JavaScript CLIs.',
  INSPECT_NOT_STARTED: 'choose another port with --port, or leave it out to get a free one.',
  FILE_CHANGED: 'read it again, then decide.',
  FOLDER_REFUSED: 'start the console with --root for that folder, or choose one below its roots.',
  BYPASS_REFUSED: 'start the console with --allow-bypass, or choose another permission mode.',
  ROLE_REFUSED: 'use a key with a role that may do this: coxswain console keys add.',
  REMOTE_UNREACHABLE: 'check the address and the token, and that the console is running.',
  MODEL_SCRIPT_FAILED: 'compare the two columns, then change the script or what you send to the CLI.',
};
