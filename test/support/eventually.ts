const LIMIT_MS = 30_000;

/** Waits for something that happens by itself, such as the exit of a process; says what did not happen. */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error(`Not so after ${LIMIT_MS / 1000} s: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Waits until nothing is left, and says what is. `expect.poll` takes 100 ms at least, which adds up. */
export async function eventuallyEmpty<Left>(
  left: () => readonly Left[] | Promise<readonly Left[]>,
): Promise<void> {
  await eventually(async () => (await left()).length === 0).catch(async () => {
    throw new Error(`Left after ${LIMIT_MS / 1000} s: ${JSON.stringify(await left())}`);
  });
}
