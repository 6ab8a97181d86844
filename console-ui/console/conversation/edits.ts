import { structuredPatch } from 'diff';
import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import type { ToolItem } from '../model/items.js';

/** A hunk of a patch; each line starts with a space, + or -. */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

/** What a tool call changes in a file. */
export interface FileEdit {
  readonly path: string;
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
  /** Whether the line numbers are those of the file. */
  readonly numbered: boolean;
}

/** The change that a tool call makes or has made; undefined for a call that edits no file. */
export function fileEdit({
  name,
  input,
  details,
}: Pick<ToolItem, 'name' | 'input' | 'details'>): FileEdit | undefined {
  const path = typeof input.file_path === 'string' ? input.file_path : input.notebook_path;
  if (typeof path !== 'string') return undefined;
  const told = details === undefined ? [] : hunksIn(details.structuredPatch);
  if (told.length > 0) return editOf(path, told, true);
  const asked = PLANNED.get(name)?.(input) ?? [];
  return asked.length === 0 ? undefined : editOf(path, asked, false);
}

/** From the input alone: what the call would change, before it has run. */
const PLANNED: ReadonlyMap<string, (input: WireObject) => readonly Hunk[]> = new Map(
  Object.entries<(input: WireObject) => readonly Hunk[]>({
    Edit: ({ old_string, new_string }) => hunksBetween(old_string, new_string),
    MultiEdit: ({ edits }) =>
      (Array.isArray(edits) ? edits : [])
        .filter(isObject)
        .flatMap(({ old_string, new_string }) => hunksBetween(old_string, new_string)),
    Write: ({ content }) => hunksBetween('', content),
    NotebookEdit: ({ new_source }) => hunksBetween('', new_source),
  }),
);

/** How long comparing whole files may take. */
const FILE_MS = 250;

/** The difference between two texts of a file; undefined if it takes too long to compute. */
export function changeBetween(path: string, before: string, after: string): FileEdit | undefined {
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: 3,
    timeout: FILE_MS,
  });
  return patch === undefined ? undefined : editOf(path, patch.hunks, true);
}

function hunksBetween(before: unknown, after: unknown): readonly Hunk[] {
  if (typeof before !== 'string' || typeof after !== 'string') return [];
  // A pathological pair of texts must not freeze the page: after the time limit, it is shown without a diff.
  const patch = structuredPatch('', '', ended(before), ended(after), undefined, undefined, {
    context: 3,
    timeout: 50,
  });
  return patch?.hunks ?? [];
}

/** Parts of files rarely end in a newline; saying so each time would only distract. */
function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function hunksIn(patch: unknown): readonly Hunk[] {
  if (!Array.isArray(patch)) return [];
  return patch.filter(isObject).map(({ oldStart, newStart, lines }) => ({
    oldStart: typeof oldStart === 'number' ? oldStart : 1,
    newStart: typeof newStart === 'number' ? newStart : 1,
    lines: Array.isArray(lines) ? lines.filter((line) => typeof line === 'string') : [],
  }));
}

/** A change of these hunks. */
export function editOf(path: string, hunks: readonly Hunk[], numbered: boolean): FileEdit {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return { path, hunks, numbered, added: count('+'), removed: count('-') };
}
