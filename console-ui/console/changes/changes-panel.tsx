import { useContext, useState } from 'react';
import type { ChangedFile, ChangesView, SessionSummary } from '../../../src/entry/remote/contract.js';
import { SessionContext } from '../conversation/session-context.js';
import { PathButton } from '../files/path-button.js';
import type { Item } from '../model/items.js';
import { useAgain, useFresh, useReturn } from '../panels/use-fresh.js';
import { useReach } from '../store/context.js';
import { ChangedRow } from './changed-row.js';
import { CommitPanel } from './commit-panel.js';
import { FileChange } from './file-change.js';
import { RewindList } from './rewind-list.js';
import { Worktrees } from './worktrees.js';

/** What has changed in the folder since the session started, file by file, and how to restore it. */
export function ChangesPanel({ session, items }: { session: SessionSummary; items: readonly Item[] }) {
  const { link } = useReach();
  const to = { session: session.id };
  const changes = useFresh(true, () => link.command('changes', {}, to));
  const { rewound } = useContext(SessionContext);
  useReturn(changes.renew);
  const sign = `${session.state === 'running'} ${rewound}`;
  useAgain(changes.ask, sign);
  return (
    <section className="panel changes" aria-label="Changes" aria-busy={changes.asking}>
      <header className="panel-head">
        <h2>Changes</h2>
        <button type="button" className="quiet small" disabled={changes.asking} onClick={changes.ask}>
          Refresh
        </button>
      </header>
      {changes.problem !== undefined && <p className="problem">{changes.problem}</p>}
      {changes.asking && (
        <p className="faint" role="status">
          Comparing…
        </p>
      )}
      {changes.value !== undefined && <Changed changes={changes.value} session={session.id} />}
      <CommitPanel session={session.id} sign={sign} />
      <Worktrees key={session.state} session={session.id} />
      <RewindList items={items} />
    </section>
  );
}

function Changed({ changes, session }: { changes: ChangesView; session: string }) {
  const { files, cut } = changes;
  return (
    <>
      <p className="faint">{againstWords(changes)}</p>
      {files.length === 0 && <p>No changes.</p>}
      <ul className="changed-files" aria-label="Changed files">
        {files.map((file) => (
          <Row key={file.path} file={file} session={session} />
        ))}
      </ul>
      {cut && <p className="faint">Not all changes are listed.</p>}
    </>
  );
}

function againstWords({ against, commit }: ChangesView): string {
  if (against === 'edits') return "Compared with each file's contents before this session edited it.";
  if (commit === undefined) return 'Compared with an empty folder: git has no commit yet.';
  return `Compared with commit ${commit.slice(0, 10)}, which was checked out when the session began. Includes changes made by others.`;
}

function Row({ file, session }: { file: ChangedFile; session: string }) {
  const [open, setOpen] = useState(false);
  const { path, how, edited, added, removed } = file;
  return (
    <ChangedRow
      file={file}
      tag={edited ? 'edited here' : undefined}
      action={
        how !== 'removed' && (
          <PathButton place={{ path }} className="tool-open">
            View
          </PathButton>
        )
      }
      open={open}
      onOpen={setOpen}
    >
      <FileChange key={`${added} ${removed}`} session={session} path={path} />
    </ChangedRow>
  );
}
