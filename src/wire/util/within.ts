import type { Clock } from './clock.js';

/** Waits for a promise to settle, at most this long; says whether it did. */
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
