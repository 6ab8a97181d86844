import { TestRunner } from 'vitest';

/** The limit of waits outside a test, such as in a hook. */
const LIMIT_MS = 30_000;
/** A wait gives up this long before its test does, which could not say what is missing. */
const EARLY_MS = 1_000;

/** Waits for something that happens by itself, such as the exit of a process; says what did not happen. */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const ms = msLeft();
  const limit = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error(`Not so after ${Math.round(ms / 1000)} s: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Waits until nothing is left, and says what is. `expect.poll` takes 100 ms at least, which adds up. */
export async function eventuallyEmpty<Left>(
  left: () => readonly Left[] | Promise<readonly Left[]>,
): Promise<void> {
  await eventually(async () => (await left()).length === 0).catch(async () => {
    throw new Error(`Left at the end of the time: ${JSON.stringify(await left())}`);
  });
}

/** Waits for what something else reports; says what is missing when the time of the test is almost over. */
export function inTime<Value>(awaited: Promise<Value>, missing: () => string): Promise<Value> {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) return awaited;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // A wait that its test left is nobody's failure.
      if (TestRunner.getCurrentTest() === test)
        reject(new Error(`Missing at the end of the time: ${missing()}`));
    }, msLeft()).unref();
    awaited.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** How long a wait may take. */
function msLeft(): number {
  const test = TestRunner.getCurrentTest();
  const started = test?.result?.startTime;
  if (test === undefined || started === undefined) return LIMIT_MS;
  return Math.max(EARLY_MS, started + test.timeout - Date.now() - EARLY_MS);
}
