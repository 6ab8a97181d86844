import { useState } from 'react';
import type { WorktreeView } from '../../../src/entry/remote/contract.js';
import { counted, mebibytes } from '../../../src/wire/util/numbers.js';
import { VisibleText } from '../conversation/visible-text.js';
import { useFresh, useReturn } from '../panels/use-fresh.js';
import { useCommands, useConsole, useReach } from '../store/context.js';
import { Question } from '../ui/question.js';

/** The server's worktrees, or those of one session, with their actions. Empty if there are none. */
export function Worktrees({ session }: { session?: string | undefined }) {
  const { link } = useReach();
  const isOpen = useConsole((state) => state.link === 'open');
  const all = useFresh(isOpen, () => link.command('worktrees', {}));
  useReturn(all.renew);
  const worktrees = (all.value?.worktrees ?? []).filter(
    ({ sessions }) => session === undefined || sessions.includes(session),
  );
  if (worktrees.length === 0) return null;
  return (
    <section className="worktrees" aria-label="Worktrees">
      <h2>{session === undefined ? 'Worktrees' : 'Worktree'}</h2>
      <ul>
        {worktrees.map((worktree) => (
          <Row key={worktree.name} worktree={worktree} onEnded={all.ask} />
        ))}
      </ul>
    </section>
  );
}

function Row({ worktree, onEnded }: { worktree: WorktreeView; onEnded: () => void }) {
  const [how, setHow] = useState<'merge' | 'remove'>();
  const isOwner = useConsole(({ hello }) => hello?.role === 'owner');
  const isUsed = useConsole(({ sessions }) =>
    worktree.sessions.some((id) => {
      const state = sessions.get(id)?.state;
      return state !== undefined && state !== 'ended' && state !== 'parked';
    }),
  );
  const { name, branch, repository, path } = worktree;
  return (
    <li className="worktree">
      <p>
        <code>
          <VisibleText text={branch} />
        </code>{' '}
        <span className="faint">of {repository}</span>
      </p>
      <p>{facts(worktree)}</p>
      <p className="faint worktree-path">{path}</p>
      {isOwner && isUsed && <p className="faint">In use. Close its session to merge or remove it.</p>}
      {isOwner && !isUsed && (
        <div className="server-actions">
          <button type="button" onClick={() => setHow('merge')}>
            Merge
          </button>
          <button type="button" className="danger" onClick={() => setHow('remove')}>
            Remove
          </button>
        </div>
      )}
      {how !== undefined && (
        <End key={name} worktree={worktree} how={how} onEnded={onEnded} onClose={() => setHow(undefined)} />
      )}
    </li>
  );
}

function facts({ bytes, atLeast, uncommitted, commits }: WorktreeView): string {
  const size = `${atLeast ? 'more than ' : ''}${mebibytes(bytes)}`;
  const work = [
    ...(commits === 0 ? [] : [`${counted(commits, 'commit')} to merge`]),
    ...(uncommitted === 0 ? [] : [`${counted(uncommitted, 'file')} not committed`]),
  ];
  return [size, ...(work.length === 0 ? ['nothing to merge'] : work)].join(' · ');
}

function End({
  worktree: { name, branch, repository, uncommitted, commits },
  how,
  onEnded,
  onClose,
}: {
  worktree: WorktreeView;
  how: 'merge' | 'remove';
  onEnded: () => void;
  onClose: () => void;
}) {
  const { run, busy } = useCommands();
  const { tell } = useReach();
  const end = async () => {
    const way = how === 'merge' && uncommitted > 0 ? 'commit-and-merge' : how;
    if ((await run('worktrees.end', { worktree: name, how: way })) === undefined) return false;
    tell(how === 'merge' ? 'The branch was merged.' : 'The worktree was removed.');
    onEnded();
    return true;
  };
  if (how === 'merge')
    return (
      <Question
        title="Merge the worktree?"
        yes={uncommitted > 0 ? 'Commit all and merge' : 'Merge'}
        disabled={busy}
        onYes={end}
        onClose={onClose}
      >
        {uncommitted > 0 && (
          <p>
            {uncommitted === 1 ? 'One file is' : `${uncommitted} files are`} not committed yet. All changes
            are committed to the branch first.
          </p>
        )}
        <p>
          <code>{branch}</code> is merged into what is checked out in {repository}. Then the worktree and its
          branch are removed.
        </p>
      </Question>
    );
  return (
    <Question
      title="Remove the worktree?"
      yes="Remove"
      isDanger
      disabled={busy}
      onYes={end}
      onClose={onClose}
    >
      <p>
        The folder and the branch <code>{branch}</code> are deleted.
      </p>
      {commits + uncommitted > 0 && <p className="problem">Unmerged work will be lost.</p>}
    </Question>
  );
}
