import type { ErrorCode } from '../../../wire/util/error-codes.js';

/** What a reason of the CLI not to start means here, and what to do about it. */
export interface StartupFailure {
  readonly code: ErrorCode;
  readonly hint: string;
}

const failure = (code: ErrorCode, hint: string): StartupFailure => ({ code, hint });

const ASK_ADMIN = 'the policy comes from your organisation: ask its administrator.';
const FIX_FILE = 'correct the file that the message names, or move it away.';
const LATER = 'check the network, and try again.';

/** The CLI's reasons not to start, as a result names them before the exit. */
const STARTUP_FAILURES: Readonly<Record<string, StartupFailure>> = {
  org_pin_api_key_conflict: failure('POLICY_REFUSED', `sign in instead of using an API key; ${ASK_ADMIN}`),
  org_pin_mismatch: failure(
    'POLICY_REFUSED',
    `sign in with an account of the right organisation; ${ASK_ADMIN}`,
  ),
  org_verify_failed: failure('POLICY_REFUSED', `the organisation could not be checked: ${LATER}`),
  org_config_refused: failure('POLICY_REFUSED', ASK_ADMIN),
  provider_not_allowed: failure('POLICY_REFUSED', `use another provider of the model; ${ASK_ADMIN}`),
  gateway_access_denied: failure('POLICY_REFUSED', `the gateway refuses this account; ${ASK_ADMIN}`),
  gateway_signin_required: failure('SIGN_IN_REQUIRED', 'run the CLI in a terminal and sign in.'),
  config_file_invalid: failure('CONFIG_INVALID', FIX_FILE),
  managed_settings_invalid: failure('CONFIG_INVALID', FIX_FILE),
  proxy_invalid: failure(
    'CONFIG_INVALID',
    'correct the address of the proxy in the environment or the settings.',
  ),
  remote_settings_required_unavailable: failure('CONFIG_UNAVAILABLE', LATER),
  org_config_required_unavailable: failure('CONFIG_UNAVAILABLE', LATER),
  managed_settings_not_delivered: failure('CONFIG_UNAVAILABLE', 'use a CLI that takes managedSettings.'),
  temp_dir_unusable: failure('MACHINE_UNFIT', 'set TMPDIR to a folder that the CLI can write to.'),
  shell_tool_missing: failure('MACHINE_UNFIT', 'install a shell, and put it in PATH.'),
  sandbox_required_unavailable: failure(
    'MACHINE_UNFIT',
    'install what the sandbox needs, or set sandbox.failIfUnavailable to false.',
  ),
  session_held_by_background: failure(
    'SESSION_HELD',
    'end the process that runs the session in the background.',
  ),
  worktree_resume_refused: failure('SESSION_HELD', 'resume the session in its own worktree.'),
  worktree_unverified: failure('SESSION_HELD', 'check that the worktree of the session still exists.'),
  cwd_unavailable: failure('CWD_INVALID', 'use a folder that exists and that the CLI may read.'),
  cli_version_too_old: failure('CLI_TOO_OLD', 'update the Claude CLI.'),
  bypass_root: failure('ROOT_BYPASS', 'run it as a non-root user, or choose another permission mode.'),
  initialize_not_first: failure('HANDSHAKE_REFUSED', 'send nothing before initialize.'),
};

/** What a reason means; undefined for one that is not known, which a newer CLI may have. */
export function startupFailure(reason: string | undefined): StartupFailure | undefined {
  return reason !== undefined && Object.hasOwn(STARTUP_FAILURES, reason)
    ? STARTUP_FAILURES[reason]
    : undefined;
}

/** The codes of such failures. */
export const startupCodes: ReadonlySet<string> = new Set(
  Object.values(STARTUP_FAILURES).map(({ code }) => code),
);
