import type { ProbeReport } from '../run.js';

/** A report as programs read it. */
export function jsonReport({ cli, version, verdicts }: ProbeReport): string {
  return JSON.stringify({ schema: 1, cli, version, verdicts }, null, 2);
}
