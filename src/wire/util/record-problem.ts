/** The least value of each number that a recording can be told. */
const LEAST = { maxBytes: 1, keep: 1, maxWaiting: 0, closeWaitMs: 0 } as const;

/** Says which number of a recording's options cannot be meant, or nothing. */
export function recordProblem(options: unknown): string | undefined {
  if (typeof options !== 'object' || options === null) return undefined;
  for (const [name, least] of Object.entries(LEAST)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined || (typeof value === 'number' && value >= least)) continue;
    return `${name} must be a number, ${least} or more, not ${String(value)}.`;
  }
  return undefined;
}
