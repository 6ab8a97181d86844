// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are told
const COLOURS = /\u001b\[[\d;:]*m/g;
/** Other terminal sequences: titles, links, cursor movements. */
const OTHERS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are told
  /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[\d;:?<=>]*[ -/]*[@-ln-~]|\u001b[()*+][ -~]|\u001b[=>78DEHMNOc]/g;

/** Each line as a terminal would show it: overwritten text is gone, and only colours remain. */
export function terminalLines(text: string): string {
  const plain = text.includes('\u001b') ? text.replaceAll(OTHERS, '') : text;
  if (!plain.includes('\r')) return plain;
  return plain
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').split('\r').at(-1) ?? '')
    .join('\n');
}

/** The text alone. */
export function withoutCodes(text: string): string {
  return text.includes('\u001b') ? text.replaceAll(COLOURS, '') : text;
}

/** The last lines of the output, and how many come before. */
export function lastLines(text: string, count: number): { readonly text: string; readonly before: number } {
  const lines = terminalLines(text.slice(-MOST)).trimEnd().split('\n');
  const shown = lines.slice(-count).map((line) => line.slice(0, WIDEST));
  const before = text.length > MOST ? text.split('\n').length - shown.length : lines.length - shown.length;
  return { text: shown.join('\n'), before };
}

/** The first lines of a text, and how many come after. */
export function firstLines(text: string, count: number): { readonly text: string; readonly after: number } {
  const lines = text.trimEnd().split('\n');
  const shown = lines.slice(0, count).map((line) => terminalLines(line).slice(0, WIDEST));
  return { text: shown.join('\n'), after: lines.length - shown.length };
}

/** How much of a text is searched for its last lines, and how much of a line is shown. */
const MOST = 16 * 1024;
const WIDEST = 400;
