import { applyPatch, structuredPatch } from 'diff';
import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import type { Hunk } from '../conversation/edits.js';

/** Something in a proposed edit that can be accepted or left out alone. */
export interface EditPart {
  /** Its number, from 0. */
  readonly id: number;
  /** Its lines, with some around them. */
  readonly shown: Hunk;
}

/** A proposed edit in parts. */
export interface PartedEdit {
  readonly path: string;
  readonly parts: readonly EditPart[];
  /** Whether the line numbers are those of the file. */
  readonly numbered: boolean;
  /** The tool's input with the chosen parts only. */
  readonly inputWith: (chosen: ReadonlySet<number>) => WireObject;
}

/** How long comparing may take, and how many unchanged lines to show around a part. */
const LONGEST_MS = 100;
const AROUND = 2;

/** The tools whose input is a change of a text file. */
export const PARTED_TOOLS: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write']);

/**
 * Splits a proposed edit where lines between changes stay the same. `disk` is what is in the file now, which only `Write`
 * needs. Undefined if it is no such edit, or too different to compare.
 */
export function partedEdit(
  { tool, input }: { readonly tool: string; readonly input: WireObject },
  disk: string | undefined,
): PartedEdit | undefined {
  const { file_path: path, old_string: before, new_string: after, edits, content } = input;
  if (typeof path !== 'string') return undefined;
  if (tool === 'Edit') {
    const change = changeOf(before, after);
    return change && together(path, [change], ([text]) => ({ ...input, new_string: text }));
  }
  if (tool === 'Write') {
    const change = disk === undefined ? undefined : changeOf(disk, content);
    return (
      change && { ...together(path, [change], ([text]) => ({ ...input, content: text })), numbered: true }
    );
  }
  if (tool !== 'MultiEdit' || !Array.isArray(edits) || !edits.every(isObject)) return undefined;
  const changes = edits.map((edit) => changeOf(edit.old_string, edit.new_string));
  if (!changes.every((change) => change !== undefined)) return undefined;
  return together(path, changes, (texts) => ({
    ...input,
    // An edit of which nothing is left would be refused.
    edits: edits
      .map((edit, index) => ({ ...edit, new_string: texts[index] }))
      .filter((edit: WireObject) => edit.new_string !== edit.old_string),
  }));
}

/** What to tell the model about parts that were left out: a tool's result says that the file is as it was told. */
export function leftOutWords(
  { path, parts }: Pick<PartedEdit, 'path' | 'parts'>,
  chosen: ReadonlySet<number>,
  reason: string,
): string {
  const left = parts.filter(({ id }) => !chosen.has(id)).map(({ shown }) => shown.lines.join('\n'));
  const why = reason.trim() === '' ? '' : `\n\n${reason.trim()}`;
  return `I accepted only a part of your change to ${path}. The file is not as you wrote it: I left out\n\n\`\`\`diff\n${left.join('\n\n')}\n\`\`\`${why}`;
}

interface Change {
  readonly before: string;
  readonly hunks: readonly (Hunk & { readonly oldLines: number; readonly newLines: number })[];
}

function changeOf(before: unknown, after: unknown): Change | undefined {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  const options = { context: 0, timeout: LONGEST_MS };
  const patch = structuredPatch('', '', before, after, undefined, undefined, options);
  return patch === undefined ? undefined : { before, hunks: patch.hunks };
}

function together(
  path: string,
  changes: readonly Change[],
  inputOf: (texts: readonly string[]) => WireObject,
): PartedEdit {
  const firsts = changes.map((_, index) =>
    changes.slice(0, index).reduce((sum, { hunks }) => sum + hunks.length, 0),
  );
  const parts = changes.flatMap((change, index) =>
    change.hunks.map((_hunk, place) => ({
      id: (firsts[index] ?? 0) + place,
      shown: withLinesAround(change, place),
    })),
  );
  const inputWith = (chosen: ReadonlySet<number>) =>
    inputOf(changes.map((change, index) => textWith(change, firsts[index] ?? 0, chosen)));
  return { path, parts, numbered: false, inputWith };
}

function textWith({ before, hunks }: Change, first: number, chosen: ReadonlySet<number>): string {
  const some = hunks
    .filter((_, index) => chosen.has(first + index))
    .map((hunk) => ({ ...hunk, lines: [...hunk.lines] }));
  const patch = { oldFileName: '', newFileName: '', oldHeader: '', newHeader: '', index: '', hunks: some };
  const text = applyPatch(before, patch, { fuzzFactor: 0, autoConvertLineEndings: false });
  if (text === false) throw new Error('The chosen parts do not fit.');
  return text;
}

/** A hunk with unchanged lines, as far as its neighbours. */
function withLinesAround({ before, hunks }: Change, place: number): Hunk {
  const hunk = hunks[place];
  if (hunk === undefined) return { oldStart: 1, newStart: 1, lines: [] };
  const lines = before.replace(/\n$/, '').split('\n');
  const ends = ({ oldStart, oldLines }: { oldStart: number; oldLines: number }) => oldStart - 1 + oldLines;
  const [last, next] = [hunks[place - 1], hunks[place + 1]];
  const from = Math.max(last === undefined ? 0 : ends(last), hunk.oldStart - 1 - AROUND);
  const to = Math.min(next === undefined ? lines.length : next.oldStart - 1, ends(hunk) + AROUND);
  const context = (part: readonly string[]) => part.map((line) => ` ${line}`);
  const above = before === '' ? [] : context(lines.slice(from, hunk.oldStart - 1));
  const below = before === '' ? [] : context(lines.slice(ends(hunk), to));
  return {
    oldStart: hunk.oldStart - above.length,
    newStart: hunk.newStart - above.length,
    lines: [...above, ...hunk.lines, ...below],
  };
}
