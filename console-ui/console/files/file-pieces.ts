/** The height of a line of a file; lines are not wrapped. */
export const LINE_PX = 19;

/** How many lines, and about how many characters, are rendered at once. */
const LINES = 200;
const CHARACTERS = 16 * 1024;

/** Some lines of a file. */
export interface FilePiece {
  readonly text: string;
  /** The number of its first line. */
  readonly from: number;
  readonly lines: number;
}

/** Cuts a file into pieces of whole lines. */
export function filePieces(text: string): readonly FilePiece[] {
  const all = text.replace(/\n$/, '').split('\n');
  const pieces: FilePiece[] = [];
  for (let from = 0; from < all.length; ) {
    let [end, characters] = [from, 0];
    while (end < all.length && end - from < LINES && (end === from || characters < CHARACTERS)) {
      characters += all[end]?.length ?? 0;
      end += 1;
    }
    pieces.push({ text: all.slice(from, end).join('\n'), from: from + 1, lines: end - from });
    from = end;
  }
  return pieces;
}
