import { createHash } from 'node:crypto';
import type { GitHunk } from '../../../entry/remote/contract.js';

/** What git says about one file: the lines before its hunks, and the hunks. */
export interface FilePatch {
  readonly head: string;
  readonly hunks: readonly GitHunk[];
}

/** Reads the output of `git diff` for one file; undefined if that is not text. */
export function readPatch(diff: string): FilePatch | undefined {
  // What is not UTF-8 cannot be written back.
  if (diff.includes('\uFFFD') || /^(?:Binary files |GIT binary patch)/m.test(headOf(diff))) return undefined;
  const head = headOf(diff);
  const hunks = splitHunks(diff.slice(head.length).replace(/\n$/, '').split('\n'));
  return { head, hunks: hunks.map(withId) };
}

/** The hunk of a file that is new. */
export function newFileHunks(text: string): readonly GitHunk[] {
  if (text === '') return [];
  const lines = text.replace(/\n$/, '').split('\n');
  const remark = text.endsWith('\n') ? [] : [NO_NEWLINE];
  return [withId({ oldStart: 0, newStart: 1, lines: [...lines.map((line) => `+${line}`), ...remark] })];
}

/**
 * A patch of some hunks. Where git finds each depends on the hunks before it: those that are left out do not count.
 * `reverse` says that it is applied backwards, to the later text.
 */
export function patchOf({ head, hunks }: FilePatch, chosen: ReadonlySet<string>, reverse = false): string {
  let leftOut = 0;
  const parts = hunks.flatMap(({ id, oldStart, newStart, lines }) => {
    const [old, now] = [count(lines, '-'), count(lines, '+')];
    if (!chosen.has(id)) {
      leftOut += now - old;
      return [];
    }
    const [oldAt, nowAt] = reverse ? [oldStart + leftOut, newStart] : [oldStart, newStart - leftOut];
    return [`@@ -${oldAt},${old} +${nowAt},${now} @@\n${lines.join('\n')}\n`];
  });
  return `${head}${parts.join('')}`;
}

type Lines = Omit<GitHunk, 'id'>;

const NO_NEWLINE = '\\ No newline at end of file';

function headOf(diff: string): string {
  const end = diff.search(/^@@ -/m);
  return end === -1 ? diff : diff.slice(0, end);
}

function splitHunks(lines: readonly string[]): readonly Lines[] {
  const hunks: (Omit<Lines, 'lines'> & { lines: string[] })[] = [];
  for (const line of lines) {
    const [, old, now] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? [];
    if (old === undefined) hunks.at(-1)?.lines.push(line);
    else hunks.push({ oldStart: Number(old), newStart: Number(now), lines: [] });
  }
  return hunks;
}

function withId(hunk: Lines): GitHunk {
  const { oldStart, newStart, lines } = hunk;
  const id = createHash('sha256')
    .update(JSON.stringify([oldStart, newStart, lines]))
    .digest('base64url')
    .slice(0, 22);
  return { id, ...hunk };
}

/** The lines of one side. */
function count(lines: readonly string[], mark: '+' | '-'): number {
  return lines.filter((line) => line.startsWith(mark) || line.startsWith(' ')).length;
}
