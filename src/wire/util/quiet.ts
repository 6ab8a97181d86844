/**
 * Wraps a user's callback that only listens: what it throws, or rejects with later, must reach neither the
 * reading loop nor the process.
 */
export function quiet<A extends readonly unknown[]>(
  listener: ((...args: A) => unknown) | undefined,
): (...args: A) => void {
  if (listener === undefined) return () => {};
  return (...args) => {
    try {
      const result = listener(...args);
      if (result instanceof Promise) result.catch(() => {});
    } catch {
      // A listener's failure is its own.
    }
  };
}
