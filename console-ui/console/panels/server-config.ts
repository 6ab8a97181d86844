type Values = Readonly<Record<string, string>>;

/** How to reach an MCP server, as a person types it: an address, or a command with its arguments. */
export type WrittenServer =
  | { readonly type: 'http' | 'sse'; readonly url: string; readonly headers?: Values }
  | { readonly command: string; readonly args: readonly string[]; readonly env?: Values };

/**
 * Parses the input, with headers or environment variables as lines of `NAME=value`; undefined if it is empty, a quote is
 * not closed, or a line has no name.
 */
export function readServer(written: string, lines = ''): WrittenServer | undefined {
  const text = written.trim();
  const values = readValues(lines);
  if (values === undefined) return undefined;
  const isEmpty = Object.keys(values).length === 0;
  if (/^https?:\/\//i.test(text)) {
    // By convention; servers with the older transport have such addresses.
    const type = /\/sse\/?(?:\?|$)/.test(text) ? 'sse' : 'http';
    return { type, url: text, ...(isEmpty ? {} : { headers: values }) };
  }
  const [command, ...args] = readWords(text) ?? [];
  return command === undefined ? undefined : { command, args, ...(isEmpty ? {} : { env: values }) };
}

function readValues(lines: string): Values | undefined {
  const pairs = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*([^\s=:]+)\s*[=:]\s*(.*?)\s*$/.exec(line));
  if (pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
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
