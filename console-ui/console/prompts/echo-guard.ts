/** How long the key that answered one prompt does nothing to the next. */
const SAME_KEY_MS = 600;

/** Tells a key that was pressed twice in a hurry from one that was meant for the prompt that has just come up. */
export class EchoGuard {
  #last: { readonly key: string; readonly at: number; readonly by: object } | undefined;

  /** Notes a key; says whether it only repeats what another prompt was answered with a moment ago. */
  isEcho(key: string, at: number, by: object): boolean {
    const last = this.#last;
    this.#last = { key, at, by };
    return last !== undefined && last.key === key && last.by !== by && at - last.at < SAME_KEY_MS;
  }
}
