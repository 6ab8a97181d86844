/** The word to complete, and its position in the text. */
export interface Completable {
  readonly kind: 'command' | 'file';
  /** What was typed of it, without its prefix. */
  readonly query: string;
  readonly start: number;
  readonly end: number;
}

/** The word before the caret: a command at the very start, or a file name after `@`. */
export function completableAt(text: string, caret: number): Completable | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before);
  if (command !== null) return { kind: 'command', query: command[1] ?? '', start: 0, end: caret };
  const file = /(?:^|\s)@(?:"([^"\n]*)|([^\s"]*))$/.exec(before);
  if (file === null) return undefined;
  const query = file[1] ?? file[2] ?? '';
  const start = before.lastIndexOf('@');
  return { kind: 'file', query, start, end: caret };
}

/** One thing to choose. */
export interface Suggestion {
  readonly name: string;
  readonly about: string;
}

/** The text after a selection, and the new caret position. A folder is opened; a complete name gets a space after it. */
export function complete(
  text: string,
  { kind, start, end }: Completable,
  { name }: Suggestion,
): { readonly text: string; readonly caret: number } {
  const isFolder = kind === 'file' && name.endsWith('/');
  const quoted = kind === 'file' && /\s/.test(name) ? `"${name}${isFolder ? '' : '"'}` : name;
  const rest = text.slice(end);
  const gap = isFolder || /^\s/.test(rest) ? '' : ' ';
  const head = `${text.slice(0, start)}${kind === 'command' ? '/' : '@'}${quoted}${gap}`;
  // After an existing space, too.
  const caret = head.length + (gap === '' && !isFolder ? 1 : 0);
  return { text: `${head}${rest}`, caret };
}

/** The matching commands, prefix matches first. */
export function matchingCommands(commands: readonly Suggestion[], query: string): readonly Suggestion[] {
  const wanted = query.toLowerCase();
  const begins = (name: string) => name.toLowerCase().startsWith(wanted);
  const fits = commands.filter(({ name }) => name.toLowerCase().includes(wanted));
  return [...fits.filter(({ name }) => begins(name)), ...fits.filter(({ name }) => !begins(name))].slice(
    0,
    SHOWN,
  );
}

/** How many are shown. */
export const SHOWN = 50;
