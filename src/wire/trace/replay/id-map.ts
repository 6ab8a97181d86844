import { isObject } from '../../protocol/frames.js';

/** Maps ids of the recording to the ids of this run. */
export class IdMap {
  readonly #ids = new Map<string, string>();

  /** Learns the ids from two lines that differ only in their ids. */
  learn(recorded: unknown, actual: unknown): void {
    if (typeof recorded === 'string' && typeof actual === 'string') this.#pair(recorded, actual);
    else if (Array.isArray(recorded) && Array.isArray(actual)) {
      for (const [index, item] of recorded.entries()) this.learn(item, actual[index]);
    } else if (isObject(recorded) && isObject(actual)) {
      for (const [key, item] of Object.entries(recorded)) this.learn(item, actual[key]);
    }
  }

  /** Replaces the ids in a line of the recording with those of this run. */
  translate(line: string): string {
    // All at once: an id of this run may be a different id in the recording.
    const present = [...this.#ids.keys()].filter((recorded) => line.includes(recorded));
    if (present.length === 0) return line;
    const pattern = new RegExp(present.map((each) => each.replaceAll(/\W/g, '\\$&')).join('|'), 'g');
    return line.replace(pattern, (each) => this.#ids.get(each) ?? each);
  }

  /** The id in this run for an id of the recording. */
  actual(recorded: string): string {
    const found = this.#ids.get(JSON.stringify(recorded));
    return found === undefined ? recorded : String(JSON.parse(found));
  }

  /** With quotes, so that only whole strings are replaced. */
  #pair(recorded: string, actual: string): void {
    if (recorded !== actual && recorded !== '')
      this.#ids.set(JSON.stringify(recorded), JSON.stringify(actual));
  }
}
