import type { TurnOutcome } from '../../host/session/turns/outcome.js';
import { TurnFailedError } from '../../host/session/turns/turn-failed-error.js';

/** The error of a failed turn; of a failed call to the API, the AI SDK's own, with its status and whether to try again. */
export async function turnFailure(outcome: TurnOutcome): Promise<Error> {
  const failed = new TurnFailedError(outcome);
  const statusCode = statusOf(outcome);
  if (statusCode === undefined) return failed;
  const { APICallError } = await import('@ai-sdk/provider');
  // The CLI made the call, and does not tell the address or the body.
  return new APICallError({
    message: failed.message,
    url: '',
    requestBodyValues: {},
    statusCode,
    cause: failed,
  });
}

function statusOf(outcome: TurnOutcome): number | undefined {
  switch (outcome.kind) {
    case 'error':
      return outcome.status;
    case 'rate-limited':
      return 429;
    case 'auth':
      return 401;
    default:
      return undefined;
  }
}
