import type { SessionSummary } from '../../../src/remote/contract.js';

/** Whether a session has a CLI that can be asked for something. */
export function isConnected({ state }: SessionSummary): boolean {
  return state !== 'ended' && state !== 'starting';
}
