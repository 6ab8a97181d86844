/** How to reach an MCP server, as a person types it: an address, or a command with its arguments. */
export type WrittenServer =
  | { readonly type: 'http'; readonly url: string }
  | { readonly command: string; readonly args: readonly string[] };

/** Parses the input; undefined if it is empty, or a quote is not closed. */
export function readServer(written: string): WrittenServer | undefined {
  const text = written.trim();
  if (/^https?:\/\//i.test(text)) return { type: 'http', url: text };
  const words = readWords(text);
  if (words === undefined) return undefined;
  const [command, ...args] = words;
  return command === undefined ? undefined : { command, args };
}

/** Splits words as a shell does, with quotes and backslashes; expands nothing. */
function readWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  const piece = /\s+|"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^\s"'\\]+)/gsy;
  let word: string | undefined;
  let read = 0;
  for (const [whole, double, single, escaped, plain] of text.matchAll(piece)) {
    read += whole.length;
    const part = double?.replaceAll(/\\(["\\])/g, '$1') ?? single ?? escaped ?? plain;
    if (part !== undefined) word = (word ?? '') + part;
    else if (word !== undefined) words.push(word);
    if (part === undefined) word = undefined;
  }
  if (word !== undefined) words.push(word);
  return read === text.length ? words : undefined;
}
