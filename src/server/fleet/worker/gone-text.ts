import type { SessionSummary } from '../../../entry/remote/contract.js';

const GONE = 'The worker of this conversation is gone.';

/** Describes what a take-over means for a conversation, for its viewers. */
export function goneText({ state, prompts }: Pick<SessionSummary, 'state' | 'prompts'>): string {
  if (state !== 'running' && state !== 'needs-you') return `${GONE} Another one continues.`;
  const lost =
    prompts.length === 0
      ? 'Its turn was interrupted'
      : 'Its turn was interrupted, its open prompts have expired';
  return `${GONE} ${lost}; the effects of tools are not undone. Send a message to continue.`;
}
