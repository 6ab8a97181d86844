/** Waits for what comes by itself, such as the exit of a process that was told to leave, but not for ever. */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let look = 0; look < 1_000 && !(await isSo()); look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
