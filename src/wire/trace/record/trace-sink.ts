/** Where a recording goes: a file of ours, or anything that takes text. */
export interface TraceSink {
  /**
   * Takes whole lines of the file. The result `false` says that they were not taken because too much waits already; the
   * recording then notes a gap. `lasting` marks what every further part of a rotated file begins with.
   */
  write(text: string, lasting?: boolean): unknown;
  /** Resolves when all that was written is safe. */
  flush?(): Promise<void>;
  /** Resolves when all that was written is safe and nothing is held open any more. */
  close?(): Promise<void>;
}
