import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { useIsOpen, useWatchOnly } from '../store/context.js';

/** Whether this client may query a session, and it has a CLI to query. */
export function useCanAsk({ state }: SessionSummary): boolean {
  const watchOnly = useWatchOnly();
  return (state === 'idle' || state === 'running' || state === 'needs-you') && !watchOnly;
}

/** Whether a session can be queried now: not while the server is unreachable either. */
export function useReachable(session: SessionSummary): boolean {
  const isLinked = useIsOpen();
  return useCanAsk(session) && isLinked;
}
