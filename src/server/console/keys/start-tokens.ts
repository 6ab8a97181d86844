import { CoxswainError } from '../../../wire/util/errors.js';
import type { ConsoleOptions } from '../console-options.js';
import { isLoopbackName } from '../http/names.js';
import { checkToken, hashOf, type Key, makeSecret } from './key.js';

/** The tokens of one start. */
export interface StartTokens {
  readonly token: string;
  readonly watchToken: string | undefined;
}

/**
 * The tokens to use. A server on a public address must not use a token that nobody chose.
 * @throws CoxswainError `CONSOLE_NOT_STARTED`.
 */
export function chooseTokens(
  host: string,
  { token: given, watchToken: watch }: Pick<ConsoleOptions, 'token' | 'watchToken'>,
): StartTokens {
  if (given === undefined && !isLoopbackName(host)) {
    const message = `To listen on ${host}, set your own token in COXSWAIN_TOKEN; \`openssl rand -base64 32\` creates one.`;
    throw new CoxswainError('CONSOLE_NOT_STARTED', message);
  }
  if (given !== undefined) checkToken(given, 'COXSWAIN_TOKEN');
  if (typeof watch === 'string') checkToken(watch, 'COXSWAIN_WATCH_TOKEN');
  const token = given ?? makeSecret();
  if (watch === token) {
    const message = 'The read-only token must differ from the token that allows everything.';
    throw new CoxswainError('CONSOLE_NOT_STARTED', message);
  }
  const watchToken = watch === true ? makeSecret() : watch === false ? undefined : watch;
  return { token, watchToken };
}

/** The keys for these tokens, by the names that others see. */
export function startKeys({ token, watchToken }: StartTokens, createdAt: number): readonly [Key, Key?] {
  const owner: Key = { name: 'owner', role: 'owner', hash: hashOf(token), createdAt };
  if (watchToken === undefined) return [owner];
  return [owner, { name: 'watch', role: 'watcher', hash: hashOf(watchToken), createdAt }];
}
