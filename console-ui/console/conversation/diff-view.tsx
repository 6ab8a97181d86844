import { useMemo, useState } from 'react';
import type { FileEdit, Hunk } from './edits.js';
import { VisibleText } from './visible-text.js';
import { type WordPart, wordParts } from './word-diff.js';

/** How many changed lines are shown at first. */
const SHOWN = 400;

/** A file change, line by line. */
export function DiffView({ edit }: { edit: FileEdit }) {
  const [shown, setShown] = useState(SHOWN);
  const left = Math.max(0, ...edit.hunks.map((hunk) => hunk.lines.length)) - shown;
  return (
    <section className="diff" aria-label={`Change of ${edit.path}`} tabIndex={0}>
      {edit.hunks.map((hunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hunks have no identity and do not move
        <HunkLines key={index} hunk={hunk} numbered={edit.numbered} shown={shown} />
      ))}
      {left > 0 && (
        <button type="button" className="quiet small" data-cut onClick={() => setShown(shown * 4)}>
          Show more: {left.toLocaleString()} lines are left
        </button>
      )}
    </section>
  );
}

function HunkLines({ hunk, numbered, shown }: { hunk: Hunk; numbered: boolean; shown: number }) {
  const words = useMemo(() => wordParts(hunk.lines), [hunk.lines]);
  let [before, after] = [hunk.oldStart, hunk.newStart];
  const rows = hunk.lines.slice(0, shown).map((line, index) => {
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
          <Words parts={words.get(index)} line={line.slice(1)} />
        </span>
      </div>
    );
  });
  return <div className="diff-hunk">{rows}</div>;
}

/** A line, with the words marked that the other line lacks. */
function Words({ parts, line }: { parts: readonly WordPart[] | undefined; line: string }) {
  if (parts === undefined) return <VisibleText text={line} />;
  return parts.map(({ text, changed }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words do not move
    <span key={index} className={changed ? 'word' : undefined}>
      <VisibleText text={text} />
    </span>
  ));
}

const MARKS: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '\\': 'remark' };
