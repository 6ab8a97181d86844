import type { Clock } from './clock.js';

/** Waits for something, but no longer than this; says whether it came. */
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
