import { useMemo } from 'react';
import type { GitHunk } from '../../../src/entry/remote/contract.js';
import { DiffView } from '../conversation/diff-view.js';
import { editOf } from '../conversation/edits.js';
import { useAgain, useFresh } from '../panels/use-fresh.js';
import { useReach } from '../store/context.js';

/** The hunks of a file, each with a button that stages it or takes it out. */
export function GitHunks({
  session,
  path,
  staged,
  sign,
  onMove,
}: {
  session: string;
  path: string;
  staged: boolean;
  /** Changes with the file. */
  sign: string;
  onMove?: (hunk: string) => void;
}) {
  const { link } = useReach();
  const file = useFresh(true, () => link.command('git.hunks', { path, staged }, { session }));
  useAgain(file.renew, sign);
  if (file.problem !== undefined) return <p className="problem">{file.problem}</p>;
  if (file.value === undefined) return <p className="faint">Comparing…</p>;
  const { hunks } = file.value;
  if (hunks === undefined) return <p className="faint">Not a text file, or too long to show in parts.</p>;
  if (hunks.length === 0) return <p className="faint">The file is empty, or only its mode has changed.</p>;
  return (
    <ol className="git-hunks">
      {hunks.map((hunk, index) => (
        <li key={hunk.id}>
          <div className="git-hunk-head">
            <span className="faint">{placeOf(hunk)}</span>
            {onMove !== undefined && hunks.length > 1 && (
              <button type="button" className="quiet small" onClick={() => onMove(hunk.id)}>
                {staged ? 'Unstage' : 'Stage'} {`part ${index + 1}`}
              </button>
            )}
          </div>
          <OneHunk path={path} hunk={hunk} />
        </li>
      ))}
    </ol>
  );
}

function OneHunk({ path, hunk }: { path: string; hunk: GitHunk }) {
  const edit = useMemo(() => editOf(path, [hunk], true), [path, hunk]);
  return <DiffView edit={edit} part={placeOf(hunk)} />;
}

function placeOf({ newStart, lines }: GitHunk): string {
  const count = lines.filter((line) => line.startsWith('+') || line.startsWith(' ')).length;
  return count < 2 ? `Line ${Math.max(1, newStart)}` : `Lines ${newStart} to ${newStart + count - 1}`;
}
