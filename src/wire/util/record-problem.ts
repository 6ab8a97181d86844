/** The minimum of each number in a recording's options. */
const LEAST = { maxBytes: 1, keep: 1, maxWaiting: 0, closeWaitMs: 0 } as const;

/** Returns which number in a recording's options is impossible, if any. */
export function recordProblem(options: unknown): string | undefined {
  if (typeof options !== 'object' || options === null) return undefined;
  for (const [name, least] of Object.entries(LEAST)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined || (typeof value === 'number' && value >= least)) continue;
    return `${name} must be a number, ${least} or more, not ${String(value)}.`;
  }
  return undefined;
}
