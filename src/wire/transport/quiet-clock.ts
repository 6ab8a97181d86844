import { type Clock, systemClock } from '../util/clock.js';

/** The real time, with timers that do not keep the process alive. */
export const quietClock: Clock = {
  now: systemClock.now,
  after: (ms, run) => {
    const timer = setTimeout(run, ms).unref();
    return () => clearTimeout(timer);
  },
};
