/** Waits for something that happens by itself, such as the exit of a process, but not forever. */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let look = 0; look < 1_000 && !(await isSo()); look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
