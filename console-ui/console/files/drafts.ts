/** An edited file that is not saved; a text field has only plain newlines. */
export interface Draft {
  readonly text: string;
  /** The version that it was made from. */
  readonly version: string;
  readonly lineEnds: LineEnds;
}

/** How the lines of a file end. In a file where they differ, a text field would change lines that nobody touched. */
export type LineEnds = 'lf' | 'crlf' | 'mixed';

/** How the lines of a text end. */
export function lineEndsOf(text: string): LineEnds {
  const [all, crlf] = [/\r\n|\r|\n/g, /\r\n/g].map((pattern) => text.match(pattern)?.length ?? 0);
  if (crlf === 0) return text.includes('\r') ? 'mixed' : 'lf';
  return crlf === all ? 'crlf' : 'mixed';
}

/** A text field's content as the text of a file. */
export function withLineEnds(text: string, lineEnds: LineEnds): string {
  return lineEnds === 'crlf' ? text.replaceAll('\n', '\r\n') : text;
}

const drafts = new Map<string, Draft>();

/** The drafts of a session's files. They stay while other parts of the page are shown. */
export function draftOf(session: string, path: string): Draft | undefined {
  return drafts.get(keyOf(session, path));
}

/** Keeps a draft, or drops it. The browser asks before it closes a page with drafts. */
export function setDraft(session: string, path: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(keyOf(session, path));
  else drafts.set(keyOf(session, path), draft);
  if (drafts.size > 0) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
}

function keyOf(session: string, path: string): string {
  return `${session}\n${path}`;
}

function warn(event: Event): void {
  event.preventDefault();
}
