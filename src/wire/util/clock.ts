// Every JavaScript host has these two, although ECMAScript does not define them.
declare function setTimeout(run: () => void, ms: number): unknown;
declare function clearTimeout(handle: unknown): void;
declare const performance: { now(): number };

/** Time as a parameter, so that tests never sleep. */
export interface Clock {
  /** Milliseconds that only go forward. */
  now(): number;
  /** Runs something later; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

/** The longest delay of a timer; a longer one would fire immediately. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The real time. A delay that is not finite never fires. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, run) => {
    if (!Number.isFinite(ms)) return () => {};
    const handle = setTimeout(run, Math.min(ms, MAX_DELAY_MS));
    return () => clearTimeout(handle);
  },
};

/** Waits for a promise to settle, at most this long; returns whether it did. */
export function within(awaited: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false));
    const done = () => {
      cancel();
      resolve(true);
    };
    awaited.then(done, done);
  });
}
