/**
 * The possible verdicts of a probe: it behaves so, differently, reports no support, stays silent, or cannot be tested
 * here.
 */
export const verdicts = ['pass', 'fail', 'unsupported', 'silent', 'not-reachable'] as const;

/** The outcome of one requirement on one CLI. */
export type Verdict = (typeof verdicts)[number];

/** A verdict, optionally with details. */
export interface Finding {
  /** The verdict. */
  readonly verdict: Verdict;
  /** Details of the observation. */
  readonly detail?: string;
}

/** The CLI does what the requirement says. */
export const pass: Finding = { verdict: 'pass' };

/** Passes if the condition holds; otherwise fails with what was seen instead. */
export function judge(isSo: boolean, otherwise: string): Finding {
  return isSo ? pass : fail(otherwise);
}

/** The CLI behaves differently. */
export function fail(detail: string): Finding {
  return { verdict: 'fail', detail };
}

/** The CLI refuses or lacks it. */
export function unsupported(detail: string): Finding {
  return { verdict: 'unsupported', detail };
}

/** The CLI never answers. */
export function silent(detail: string): Finding {
  return { verdict: 'silent', detail };
}

/** It cannot be tested here: it needs an account, another system, or a real model. */
export function notReachable(detail: string): Finding {
  return { verdict: 'not-reachable', detail };
}
