import { useMemo } from 'react';
import type { ChangeView } from '../../../src/entry/remote/contract.js';
import { DiffView } from '../conversation/diff-view.js';
import { changeBetween } from '../conversation/edits.js';
import { useFresh } from '../panels/use-fresh.js';
import { useReach } from '../store/context.js';

/** The changes in one file. */
export function FileChange({ session, path }: { session: string; path: string }) {
  const { link } = useReach();
  const change = useFresh(true, () => link.command('change', { path }, { session }));
  if (change.problem !== undefined) return <p className="problem">{change.problem}</p>;
  if (change.value === undefined) return <p className="faint">Comparing…</p>;
  return <Compared change={change.value} />;
}

function Compared({ change }: { change: ChangeView }) {
  const { path, before, after, cut } = change;
  const edit = useMemo(() => changeBetween(path, before ?? '', after ?? ''), [path, before, after]);
  if (before === undefined || after === undefined) return <p className="faint">Not a text file.</p>;
  if (edit === undefined) return <p className="faint">Too different to compare here.</p>;
  return (
    <>
      {cut && <p className="faint">Only the beginning of the file is compared.</p>}
      {edit.hunks.length === 0 ? <p className="faint">No differences.</p> : <DiffView edit={edit} />}
    </>
  );
}
