import { useState } from 'react';
import type { WorktreeView } from '../../../src/entry/remote/contract.js';
import { counted, mebibytes } from '../../../src/wire/util/numbers.js';
import { VisibleText } from '../conversation/visible-text.js';
import { useFresh, useReturn } from '../panels/use-fresh.js';
import { useCommands, useConsole, useIsOpen, useReach } from '../store/context.js';
import { Question } from '../ui/question.js';

/** The server's worktrees, or those of one session, with their actions. Empty if there are none. */
export function Worktrees({ session }: { session?: string | undefined }) {
  const { link } = useReach();
  const isOpen = useIsOpen();
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
          <VisibleText text={branch ?? 'no branch'} />
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
  worktree: { name, branch, repository, uncommitted, commits, ignored },
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
    const asked = {
      worktree: name,
      how: way,
      // The server refuses what was not shown.
      ...(ignored === undefined ? {} : { discardIgnored: ignored }),
    } as const;
    if ((await run('worktrees.end', asked)) === undefined) return false;
    tell(how === 'merge' ? 'The worktree was merged.' : 'The worktree was removed.');
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
            are committed first.
          </p>
        )}
        <p>
          {branch === undefined ? 'What is checked out' : <code>{branch}</code>} is merged into what is
          checked out in {repository}. Then the worktree is removed.
        </p>
        <Ignored names={ignored} />
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
      <p>The folder and its branch are deleted.</p>
      {commits + uncommitted > 0 && (
        <p>
          Unmerged work is kept for 30 days under <code>refs/coxswain/kept/{name}</code>.
        </p>
      )}
      <Ignored names={ignored} />
    </Question>
  );
}

/** What no commit holds. */
function Ignored({ names }: { names: readonly string[] | undefined }) {
  if (names === undefined) return <p className="problem">Its ignored files could not be listed.</p>;
  if (names.length === 0) return null;
  return (
    <div className="problem">
      <p>No commit has these files and repositories. They will be lost:</p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <VisibleText text={name} />
          </li>
        ))}
      </ul>
    </div>
  );
}
