import { type Clock, within } from '../../../wire/util/clock.js';

/** How long a store may take, and for what. */
export interface StoreDeadline {
  readonly ms: number;
  readonly clock: Clock;
  readonly what: string;
}

/** What a store gives, which may be no promise. Rejects when the store is too late. */
export async function inTime<Value>(
  given: Value | Promise<Value>,
  { ms, clock, what }: StoreDeadline,
): Promise<Value> {
  const work = Promise.resolve(given);
  if (await within(work, ms, clock)) return work;
  throw new Error(`The store did not ${what} within ${ms} ms.`);
}
