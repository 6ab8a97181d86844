import { CoxswainError } from '../../wire/util/errors.js';

/** What determines whether permissions are bypassed. */
export interface BypassOptions {
  readonly permissionMode?: string | undefined;
  readonly allowDangerouslySkipPermissions?: boolean | undefined;
  readonly extraArgs?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Refuses, before the start, what every CLI refuses: bypassing permissions as root.
 * @throws CoxswainError `ROOT_BYPASS` with the two remedies.
 */
export function checkRootBypass(
  options: BypassOptions,
  env: Readonly<Record<string, string>>,
  uid: number | undefined,
): void {
  if (uid !== 0 || isSandboxed(env)) return;
  const asked = askedForBypass(options);
  if (asked === undefined) return;
  throw new CoxswainError(
    'ROOT_BYPASS',
    `${asked} was requested while running as root, which the CLI refuses. Run as another user, or set the option "sandboxed" if this is a disposable container.`,
  );
}

/** The variables that make CLIs accept root: the oldest do not know the second. */
function isSandboxed(env: Readonly<Record<string, string>>): boolean {
  return env.IS_SANDBOX === '1' || (env.CLAUDE_CODE_BUBBLEWRAP ?? '') !== '';
}

function askedForBypass(options: BypassOptions): string | undefined {
  const { permissionMode, allowDangerouslySkipPermissions, extraArgs = {} } = options;
  if (permissionMode === 'bypassPermissions') return 'permissionMode "bypassPermissions"';
  if (allowDangerouslySkipPermissions === true) return 'allowDangerouslySkipPermissions';
  const flags = ['dangerously-skip-permissions', 'allow-dangerously-skip-permissions'];
  const flag = flags.find((name) => Object.hasOwn(extraArgs, name));
  if (flag !== undefined) return `--${flag}`;
  return extraArgs['permission-mode'] === 'bypassPermissions'
    ? '--permission-mode=bypassPermissions'
    : undefined;
}
