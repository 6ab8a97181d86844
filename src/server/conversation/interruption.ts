import type { LogEvent, OutcomeView, QueuedEvent, SessionSummary } from '../../entry/remote/contract.js';

/** What happened to the server that used this state folder before. */
export const RESTARTED = 'The console server was stopped while this session was open.';

/** What is left of a session whose server was stopped. */
export interface Interruption {
  /** The ids of prompts and messages that wait for the next CLI. */
  readonly kept: readonly string[];
  /** What happened to the server. */
  readonly why: string;
  /** The messages that have not settled. */
  readonly unsettled: readonly QueuedEvent[];
  /** What the sender of a message learns that is not kept. */
  readonly outcomeOf: (uuid: string) => OutcomeView;
}

/** The events after a server that was stopped: its CLI is gone, and open items that are not kept. Stored messages wait again. */
export function interruptionEvents(
  view: Pick<SessionSummary, 'prompts' | 'queued'>,
  { kept, why, unsettled, outcomeOf }: Interruption,
): readonly LogEvent[] {
  const lost = view.queued.filter((uuid) => !kept.includes(uuid));
  return [
    ...expiredPrompts(view, kept),
    ...lost.map((uuid) => ({ kind: 'unqueued', uuid }) as const),
    { kind: 'end', t: 0, end: { reason: 'failed', error: why } },
    ...unsettled.map((event): LogEvent => {
      const { uuid } = event;
      return kept.includes(uuid) ? event : { kind: 'settled', uuid, outcome: outcomeOf(uuid) };
    }),
  ];
}

/** The events for open prompts that nobody can answer any more. */
export function expiredPrompts(
  { prompts }: Pick<SessionSummary, 'prompts'>,
  kept: readonly string[],
): readonly LogEvent[] {
  const over = prompts.filter(({ id }) => !kept.includes(id));
  return over.map(({ id }) => ({ kind: 'prompt-settled', prompt: id, how: 'expired' }) as const);
}
