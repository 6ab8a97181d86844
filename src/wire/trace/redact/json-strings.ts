// A pattern with a choice for each character fills the stack of the regular expressions on a line of many megabytes.

/** Where the JSON string ends that has a position in it: at its closing quote; undefined if it has none. */
export function stringEnd(line: string, from: number): number | undefined {
  let at = line.indexOf('"', from);
  while (at !== -1 && isEscaped(line, at)) at = line.indexOf('"', at + 1);
  return at === -1 ? undefined : at;
}

/** Whether a backslash belongs to a character. */
export function isEscaped(line: string, index: number): boolean {
  let backslashes = 0;
  while (line[index - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
