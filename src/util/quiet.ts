/** Wraps a user's callback that only listens: what it throws must not reach the reading loop. */
export function quiet<A extends readonly unknown[]>(
  listener: ((...args: A) => void) | undefined,
): (...args: A) => void {
  if (listener === undefined) return () => {};
  return (...args) => {
    try {
      listener(...args);
    } catch {
      // A listener has no say in what happens: its failure is its own.
    }
  };
}
