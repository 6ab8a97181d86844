import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { useConsole, useWatchOnly } from '../store/context.js';

/** Whether somebody here may ask a session for something, and it has a CLI that can be asked. */
export function useCanAsk({ state }: SessionSummary): boolean {
  const watchOnly = useWatchOnly();
  return (state === 'idle' || state === 'running' || state === 'needs-you') && !watchOnly;
}

/** Whether a session can be asked for something now: not while the server cannot be reached either. */
export function useReachable(session: SessionSummary): boolean {
  const isLinked = useConsole(({ link }) => link === 'open');
  return useCanAsk(session) && isLinked;
}
