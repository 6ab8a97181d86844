import { expect, test } from 'vitest';
import type { SDKStartupFailureReason } from '../../../../../src/entry/compat/types/words.js';
import { startupCodes, startupFailure } from '../../../../../src/host/core/connection/startup-failures.js';

/** Every reason that the official SDK declares; the compiler refuses one too few or too many. */
const REASONS: Readonly<Record<SDKStartupFailureReason, true>> = {
  org_pin_api_key_conflict: true,
  provider_not_allowed: true,
  org_verify_failed: true,
  org_pin_mismatch: true,
  managed_settings_invalid: true,
  remote_settings_required_unavailable: true,
  gateway_signin_required: true,
  gateway_access_denied: true,
  proxy_invalid: true,
  temp_dir_unusable: true,
  cwd_unavailable: true,
  shell_tool_missing: true,
  session_held_by_background: true,
  worktree_resume_refused: true,
  worktree_unverified: true,
  cli_version_too_old: true,
  bypass_root: true,
  org_config_required_unavailable: true,
  org_config_refused: true,
  sandbox_required_unavailable: true,
  initialize_not_first: true,
  config_file_invalid: true,
  managed_settings_not_delivered: true,
};

test('every declared reason of a CLI not to start has a code and a hint', () => {
  for (const reason of Object.keys(REASONS)) {
    const failure = startupFailure(reason);
    expect(failure, reason).toBeDefined();
    expect(startupCodes.has(failure?.code ?? '')).toBe(true);
    expect(failure?.hint).toMatch(/\w\.$/);
  }
});

test('a reason of a newer CLI, or a name of every object, has none', () => {
  for (const reason of [undefined, 'of_a_newer_cli', 'toString'])
    expect(startupFailure(reason)).toBeUndefined();
});
