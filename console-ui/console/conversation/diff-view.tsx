import { useMemo, useState } from 'react';
import type { CodeSpan } from '../code/grammars.js';
import { languageOf } from '../code/language-of.js';
import { marked, useDiffCode } from './diff-code.js';
import type { FileEdit, Hunk } from './edits.js';
import { VisibleText } from './visible-text.js';
import { type WordPart, wordParts } from './word-diff.js';

/** How many changed lines are shown at first. */
const SHOWN = 400;

/** A file change, line by line; `part` names which part of it, if there are several. */
export function DiffView({ edit, part }: { edit: FileEdit; part?: string }) {
  const [shown, setShown] = useState(SHOWN);
  const left = Math.max(0, ...edit.hunks.map((hunk) => hunk.lines.length)) - shown;
  return (
    <section
      className="diff"
      aria-label={`Change of ${edit.path}${part === undefined ? '' : `, ${part.toLowerCase()}`}`}
      tabIndex={0}
    >
      {edit.hunks.map((hunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hunks have no identity and do not move
        <HunkLines key={index} hunk={hunk} edit={edit} shown={shown} />
      ))}
      {left > 0 && (
        <button type="button" className="quiet small" data-cut onClick={() => setShown(shown * 4)}>
          Show more: {left.toLocaleString()} lines are left
        </button>
      )}
    </section>
  );
}

function HunkLines({ hunk, edit: { path, numbered }, shown }: { hunk: Hunk; edit: FileEdit; shown: number }) {
  const words = useMemo(() => wordParts(hunk.lines), [hunk.lines]);
  const lines = useMemo(() => hunk.lines.slice(0, shown), [hunk.lines, shown]);
  const code = useDiffCode(lines, languageOf(path));
  let [before, after] = [hunk.oldStart, hunk.newStart];
  const rows = lines.map((line, index) => {
    const mark = line[0] ?? ' ';
    const number = mark === '-' ? before : after;
    if (mark !== '+') before += 1;
    if (mark !== '-') after += 1;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines do not move
      <div key={index} className="diff-line" data-mark={MARKS[mark] ?? 'same'}>
        {numbered && <span className="diff-number">{number}</span>}
        <span className="diff-mark">{mark}</span>
        <span className="diff-text">
          <Words line={line.slice(1)} parts={words.get(index)} code={code.get(index)} />
        </span>
      </div>
    );
  });
  return <div className="diff-hunk">{rows}</div>;
}

/** A line of code, with the words marked that the other line lacks. */
function Words({
  line,
  parts = [{ text: line, changed: false }],
  code = [{ text: line, kind: undefined }],
}: {
  line: string;
  parts: readonly WordPart[] | undefined;
  code: readonly CodeSpan[] | undefined;
}) {
  return marked(parts, code).map(({ text, kind }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words do not move
    <span key={index} className={kind}>
      <VisibleText text={text} />
    </span>
  ));
}

const MARKS: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '\\': 'remark' };
