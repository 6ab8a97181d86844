import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { LaunchOptions } from '../manager-options.js';

/** The login of CLIs that get the same environment as this program. */
export const OWN_LOGIN = 'default';

const KEYS = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'] as const;
const SERVICES = ['ANTHROPIC_BASE_URL', 'CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX'] as const;
const FOLDERS = ['CLAUDE_CONFIG_DIR', 'HOME', 'USERPROFILE'] as const;
/** The variables that decide which account a CLI uses. */
const DECIDING = [...KEYS, ...SERVICES, ...FOLDERS];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A name for the login that a CLI with these options uses, which tells nothing about its secrets. CLIs with the same name
 * share their usage limits; a spawner may have a login of its own.
 */
export function loginOf(
  { env = {}, envMode = 'extend', spawner }: LaunchOptions,
  own: Environment = process.env,
): string {
  const isOwn = spawner === undefined && envMode !== 'replace';
  const of = (name: string) => (name in env || !isOwn ? env[name] : own[name]);
  const values = DECIDING.map(of);
  if (isOwn && DECIDING.every((name, index) => values[index] === own[name])) return OWN_LOGIN;
  return nameOf([spawner?.name, ...values]);
}

/**
 * A name for the account behind {@link OWN_LOGIN}. With a key it is the same on each machine; a login in files may be another one
 * on each machine.
 */
export function ownAccount(own: Environment = process.env, machine: string = hostname()): string {
  const values = (names: readonly string[]) => names.map((name) => own[name]);
  const hasKey = values(KEYS).some((key) => key !== undefined && key !== '');
  return nameOf([...values([...KEYS, ...SERVICES]), ...(hasKey ? [] : [machine, ...values(FOLDERS)])]);
}

function nameOf(values: readonly (string | undefined)[]): string {
  const text = JSON.stringify(values.map((value) => value ?? null));
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
