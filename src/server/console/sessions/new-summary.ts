import type { ClientName, OpenParams, SessionSummary } from '../../../entry/remote/contract.js';

/** The summary of a session that has not been started. */
export function newSummary(
  id: string,
  opened: OpenParams,
  { name, kind }: ClientName & { readonly kind: 'page' | 'program' },
  now: number,
): SessionSummary {
  return {
    id,
    conversation: opened.resume,
    title: opened.title ?? '',
    cwd: opened.cwd,
    state: 'ended',
    cliVersion: undefined,
    model: opened.model,
    permissionMode: opened.permissionMode,
    allows: [],
    owner: { name, kind, away: false },
    viewers: 0,
    costUsd: 0,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 },
    context: { tokens: 0, window: undefined },
    budgetUsd: opened.budgetUsd,
    prompts: [],
    queued: [],
    last: 0,
    startedAt: now,
    changedAt: now,
  };
}
