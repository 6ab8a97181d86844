/** What is being written that can be completed, and where it stands in the text. */
export interface Completable {
  readonly kind: 'command' | 'file';
  /** What was written of it, without its mark. */
  readonly query: string;
  readonly start: number;
  readonly end: number;
}

/** What stands before the caret: a command at the very beginning, or the name of a file behind `@`. */
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

/** The text with what was chosen, and where the caret goes. A folder is gone into; what is whole gets a blank behind it. */
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
  // Behind the blank that is there already, too.
  const caret = head.length + (gap === '' && !isFolder ? 1 : 0);
  return { text: `${head}${rest}`, caret };
}

/** The commands whose names fit, those that begin so first. */
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
