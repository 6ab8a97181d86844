import { describe, test } from 'vitest';

/** A group of tests; with a reason why they cannot run here, it is one skipped test that says so. */
export function describeUnless(cannot: string, name: string, body: () => void): void {
  if (cannot === '') describe(name, body);
  else test(name, ({ skip }) => skip(cannot));
}
