import { type Clock, within } from '../../../wire/util/clock.js';

/** The time limit of a store, and for what. */
export interface StoreDeadline {
  readonly ms: number;
  readonly clock: Clock;
  readonly what: string;
}

/** The result of a store, which may not be a promise. Rejects if the store is too slow. */
export async function inTime<Value>(
  given: Value | Promise<Value>,
  { ms, clock, what }: StoreDeadline,
): Promise<Value> {
  const work = Promise.resolve(given);
  if (await within(work, ms, clock)) return work;
  throw new Error(`The store did not ${what} within ${ms} ms.`);
}
