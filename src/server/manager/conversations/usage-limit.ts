import type { TurnOutcome } from '../../../host/session/turns/outcome.js';

/** When a usage limit ends, in milliseconds since 1970, where the CLI says so. */
export function limitEnd(outcome: TurnOutcome & { readonly kind: 'rate-limited' }): number | undefined {
  const told = milliseconds(outcome.limit?.resetsAt);
  if (told !== undefined) return told;
  // CLIs without `rate_limit_event` put the time behind a bar at the end of the text.
  return milliseconds(Number(/limit reached\|(\d{10,13})/.exec(outcome.message)?.[1]));
}

/** The wire counts seconds; a number that would be far in the future is milliseconds already. */
function milliseconds(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
  return value > 1e11 ? value : value * 1000;
}
