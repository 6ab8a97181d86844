/** The most characters of recent events to keep of one log, and the fewest. */
const MOST_OF_ONE = 512 * 1024;
const FEWEST_OF_ONE = 16 * 1024;
/** The characters of recent events to keep of all logs. */
const OF_ALL = 32 * 1024 * 1024;

/** Divides memory among the logs that a gateway follows: the more there are, the fewer recent events it keeps of each. */
export class LogMemory {
  readonly #followed = new Set<object>();

  add(log: object): void {
    this.#followed.add(log);
  }

  delete(log: object): void {
    this.#followed.delete(log);
  }

  /** How many characters a log may keep now. */
  get share(): number {
    const share = OF_ALL / Math.max(1, this.#followed.size);
    return Math.max(FEWEST_OF_ONE, Math.min(MOST_OF_ONE, share));
  }
}
