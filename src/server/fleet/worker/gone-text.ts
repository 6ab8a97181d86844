import type { SessionSummary } from '../../../entry/remote/contract.js';

const GONE = 'The worker of this conversation is gone.';

/** Describes what a take-over means for a conversation, for its viewers. */
export function goneText({ state, prompts }: Pick<SessionSummary, 'state' | 'prompts'>): string {
  if (state !== 'running' && state !== 'needs-you') return `${GONE} Another one continues.`;
  const next = prompts.length === 0 ? 'Send a message' : 'Answer its open prompts, or send a message,';
  return `${GONE} Its turn was interrupted; the effects of tools are not undone. ${next} to continue.`;
}
