import { Cancellation } from '../../src/wire/peer/cancellation.js';
import type { RequestContext } from '../../src/wire/peer/received-requests.js';

/** The context of a request that can be withdrawn. */
export function requestContext(id = 'r1', withdrawal = new Cancellation()): RequestContext {
  return { id, withdrawal, signal: withdrawal.signal };
}
