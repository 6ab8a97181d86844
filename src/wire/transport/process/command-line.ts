/** The command line that was started. */
export interface CommandLine {
  /** The program. */
  readonly file: string;
  /** The arguments passed to the system; may contain secrets. */
  readonly args: readonly string[];
  /** The working folder. */
  readonly cwd: string;
  /** A readable line with possible secrets masked. */
  readonly masked: string;
}

/** Joins words for people, quoting those that a shell would split. */
export function printable(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./<>-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

/** Masks a word that is not in the option table. */
export function maskWord(word: string): string {
  return looksSecret(word) ? `<${word.length} characters>` : word;
}

/** Whether a text looks like a key or a password. */
export function looksSecret(value: string): boolean {
  return /\bsk-[\w-]{8,}|\b(?:token|secret|password|api[-_]?key|authorization|bearer)\b["']?\s*[:= ]/i.test(
    value,
  );
}
