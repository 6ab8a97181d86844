import { createHash } from 'node:crypto';
import type { LaunchOptions } from '../manager-options.js';

/** The login of CLIs that get the same environment as this program. */
export const OWN_LOGIN = 'default';

/** The variables that decide which account a CLI uses. */
const DECIDING = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CONFIG_DIR',
  'HOME',
  'USERPROFILE',
] as const;

/**
 * A name for the login that a CLI with these options uses, which tells nothing about its secrets. CLIs with the same name
 * share their usage limits; a spawner may have a login of its own.
 */
export function loginOf(
  { env = {}, envMode = 'extend', spawner }: LaunchOptions,
  own: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const isOwn = spawner === undefined && envMode !== 'replace';
  const of = (name: string) => (name in env || !isOwn ? env[name] : own[name]);
  const values = DECIDING.map(of);
  if (isOwn && DECIDING.every((name, index) => values[index] === own[name])) return OWN_LOGIN;
  const text = JSON.stringify([spawner?.name, ...values.map((value) => value ?? null)]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
