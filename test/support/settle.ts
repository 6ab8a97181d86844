/** Lets everything happen that needs no time, for this many rounds of the event loop. */
export async function settle(rounds = 1): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setImmediate(resolve));
}
