import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { GitFile, GitView } from '../../../src/entry/remote/contract.js';
import { counted } from '../../../src/wire/util/numbers.js';
import { useAgain, useFresh, useReturn } from '../panels/use-fresh.js';
import { useCommands, useConsole, useReach } from '../store/context.js';
import { ChangedRow } from './changed-row.js';
import { GitHunks } from './git-hunks.js';

/** What git says about the folder: stage files or hunks of them, and commit. Empty outside a repository. */
export function CommitPanel({ session, sign }: { session: string; sign: string }) {
  const { link } = useReach();
  const status = useFresh(true, () => link.command('git.status', {}, { session }));
  useReturn(status.renew);
  useAgain(status.renew, sign);
  const heading = useRef<HTMLHeadingElement>(null);
  const acted = useFocusAfter(heading, status.value);
  if (status.problem !== undefined) return <p className="problem">{status.problem}</p>;
  if (status.value?.inRepository !== true) return null;
  const { branch, files, refused, cut } = status.value;
  const onDone = () => {
    acted.current = true;
    status.renew();
  };
  const [staged, rest] = [files.filter((file) => file.staged), files.filter((file) => !file.staged)];
  return (
    <section className="commit" aria-label="Commit">
      <h2 ref={heading} tabIndex={-1}>
        Commit
        {branch !== undefined && (
          <span className="faint">
            {' '}
            to <code>{branch}</code>
          </span>
        )}
      </h2>
      {refused !== undefined && <p className="faint">Nothing can be committed here. {refused}</p>}
      {files.length === 0 && <p className="faint">Everything is committed.</p>}
      <Files title="Not staged" files={rest} session={session} status={status.value} onDone={onDone} />
      <Files title="Staged" files={staged} session={session} status={status.value} onDone={onDone} />
      {cut && <p className="faint">Not all files are listed.</p>}
      {files.length > 0 && refused === undefined && (
        <CommitForm session={session} status={status.value} staged={staged.length} onDone={onDone} />
      )}
    </section>
  );
}

/** A button that was pressed may be gone afterwards: then the heading gets the focus. */
function useFocusAfter(heading: RefObject<HTMLElement | null>, value: unknown) {
  const acted = useRef(false);
  useEffect(() => {
    if (!acted.current || value === undefined) return;
    acted.current = false;
    if (document.activeElement === document.body) heading.current?.focus();
  }, [heading, value]);
  return acted;
}

/** Whether this page may stage and commit here. */
function useMayStage(status: GitView): boolean {
  return useConsole(({ hello }) => hello?.role === 'owner') && status.refused === undefined;
}

function Files({
  title,
  files,
  session,
  status,
  onDone,
}: {
  title: string;
  files: readonly GitFile[];
  session: string;
  status: GitView;
  onDone: () => void;
}) {
  if (files.length === 0) return null;
  return (
    <>
      <h3>
        {title} <span className="faint">{files.length}</span>
      </h3>
      <ul className="changed-files" aria-label={title}>
        {files.map((file) => (
          <Row key={file.path} file={file} session={session} status={status} onDone={onDone} />
        ))}
      </ul>
    </>
  );
}

function Row({
  file,
  session,
  status,
  onDone,
}: {
  file: GitFile;
  session: string;
  status: GitView;
  onDone: () => void;
}) {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(0);
  const { run, busy } = useCommands();
  const mayStage = useMayStage(status);
  const { path, staged, added, removed } = file;
  const move = async (hunks?: readonly string[]) => {
    if (busy) return;
    const done = await run(staged ? 'git.unstage' : 'git.stage', { path, hunks }, { session });
    // A refusal says that something has changed, too.
    setAsked((count) => count + 1);
    onDone();
    if (done !== undefined && hunks === undefined) setOpen(false);
  };
  const word = staged ? 'Unstage' : 'Stage';
  return (
    <ChangedRow
      file={file}
      action={
        mayStage && (
          <button
            type="button"
            className="tool-open"
            aria-label={`${word} ${path}`}
            onClick={() => void move()}
          >
            {word}
          </button>
        )
      }
      open={open}
      onOpen={setOpen}
    >
      <GitHunks
        session={session}
        path={path}
        staged={staged}
        sign={`${status.index} ${added} ${removed} ${asked}`}
        {...(mayStage ? { onMove: (hunk: string) => void move([hunk]) } : {})}
      />
    </ChangedRow>
  );
}

function CommitForm({
  session,
  status,
  staged,
  onDone,
}: {
  session: string;
  status: GitView;
  staged: number;
  onDone: () => void;
}) {
  const [message, setMessage] = useState('');
  const { run, busy } = useCommands();
  const { tell } = useReach();
  if (!useMayStage(status)) return null;
  const isReady = staged > 0 && message.trim() !== '' && !busy;
  const commit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const made = await run('git.commit', { message, index: status.index }, { session });
    onDone();
    if (made === undefined) return;
    setMessage('');
    tell(`Committed ${counted(staged, 'file')} as ${made.commit.slice(0, 10)}.`);
  };
  return (
    <form className="commit-form" onSubmit={(event) => void commit(event)}>
      <label>
        Message
        <textarea
          rows={2}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void commit(event);
          }}
        />
      </label>
      <div className="commit-actions">
        <button type="submit" className="primary" disabled={!isReady}>
          Commit
        </button>
        <span className="faint">
          {staged === 0 ? 'Stage something first.' : `${counted(staged, 'staged file')}. Hooks do not run.`}
        </span>
      </div>
    </form>
  );
}
