import type { SessionSummary } from '../../../src/remote/contract.js';
import { useConsole } from '../store/context.js';

/** Whether a session has a CLI that can be asked for something. */
export function isConnected({ state }: SessionSummary): boolean {
  return state !== 'ended' && state !== 'starting';
}

/** Whether a session can be asked for something now: not while the server cannot be reached either. */
export function useReachable(session: SessionSummary): boolean {
  const isLinked = useConsole(({ link }) => link === 'open');
  return isLinked && isConnected(session);
}
