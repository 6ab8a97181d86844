import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';
import type { Capabilities } from '../../cli/capabilities.js';
import type { SessionOptions } from '../session-options.js';

/** Reports a CLI that has a config folder of its own and says that it found no login: old ones look for it only there. */
export function missingLogin(
  { configDir }: SessionOptions,
  { name }: Capabilities,
  { account }: WireObject,
): readonly Diagnostic[] {
  if (configDir === undefined || !isObject(account)) return [];
  if (account.tokenSource !== 'none' || account.apiKeySource !== undefined) return [];
  const why = 'It is too old to use the login of another folder, or nobody is logged in there.';
  const message = `${name} has the config folder ${configDir} and reports no login. ${why} Use a newer CLI, set ANTHROPIC_API_KEY, or log in.`;
  return [{ code: 'LOGIN_NOT_FOUND', message }];
}
