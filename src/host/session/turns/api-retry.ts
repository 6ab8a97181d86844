import type { ApiRetry } from '../../../wire/protocol/reading/api-retry.js';
import { isAuthError, type TurnOutcome } from './outcome.js';

/** How a turn ends if its credentials are refused and nobody wants to wait for the retries. */
export function authOutcome({ error, status }: ApiRetry): Extract<TurnOutcome, { kind: 'auth' }> | undefined {
  if (status !== 401 && !isAuthError(error)) return undefined;
  const message = `The API refused the credentials (${error}${status === undefined ? '' : `, status ${status}`}).`;
  return { kind: 'auth', message, reason: error };
}
