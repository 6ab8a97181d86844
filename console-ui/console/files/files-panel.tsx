import { type FormEvent, useContext, useState } from 'react';
import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { SessionContext } from '../conversation/session-context.js';
import { VisibleText } from '../conversation/visible-text.js';
import { useAgain, useReturn } from '../panels/use-fresh.js';
import { useCommands, useConsole } from '../store/context.js';
import { go, useRoute } from '../store/route.js';
import { FilePane } from './file-pane.js';
import { FileTree } from './file-tree.js';
import { parentOf } from './tree-rows.js';
import { useFolders } from './use-folders.js';
import { useFound } from './use-found.js';

/** The files of the session's folder: a tree or a search, and the file that is shown. */
export function FilesPanel({ session }: { session: SessionSummary }) {
  const { file: path } = useRoute();
  const tree = useFolders(session.id, path);
  const { rewound } = useContext(SessionContext);
  const sign = `${session.state === 'running'} ${rewound}`;
  useAgain(tree.renew, sign);
  useReturn(tree.renew);
  const [search, setSearch] = useState('');
  const found = useFound(session.id, search);
  const pick = (next: string | undefined) => go(session.id, 'files', next);
  return (
    <section className="files-tab" aria-label="Files" data-file={path !== undefined}>
      <div className="files-list">
        <div className="files-head">
          <input
            type="search"
            aria-label="Find files"
            placeholder="Find files"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <NewFile key={path} session={session.id} near={path} onMade={tree.renew} />
        </div>
        {tree.problem !== undefined && <p className="problem">{tree.problem}</p>}
        {search.trim() === '' ? (
          <FileTree tree={tree} shown={path} onPick={pick} />
        ) : (
          <Found found={found} shown={path} onPick={pick} />
        )}
      </div>
      {path === undefined ? (
        <p className="files-none faint">Choose a file to read or edit it.</p>
      ) : (
        <FilePane key={path} session={session.id} path={path} sign={sign} onBack={() => pick(undefined)} />
      )}
    </section>
  );
}

function Found({
  found,
  shown,
  onPick,
}: {
  found: readonly string[] | undefined;
  shown: string | undefined;
  onPick: (path: string) => void;
}) {
  if (found === undefined) return <p className="faint">Searching…</p>;
  if (found.length === 0) return <p className="faint">No file has such a name.</p>;
  return (
    <ul className="files-found" aria-label="Found files">
      {found.map((path) => (
        <li key={path}>
          <button type="button" aria-current={path === shown} onClick={() => onPick(path)}>
            <VisibleText text={path.slice(path.lastIndexOf('/') + 1)} />{' '}
            <span className="faint">
              <VisibleText text={parentOf(path)} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function NewFile({
  session,
  near,
  onMade,
}: {
  session: string;
  near: string | undefined;
  onMade: () => void;
}) {
  const [name, setName] = useState<string>();
  const { run, busy } = useCommands();
  const isOwner = useConsole(({ hello }) => hello?.role === 'owner');
  const folder = near === undefined ? '' : parentOf(near);
  if (!isOwner) return null;
  if (name === undefined)
    return (
      <button type="button" className="quiet" onClick={() => setName(folder === '' ? '' : `${folder}/`)}>
        New file
      </button>
    );
  const make = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || name.trim() === '') return;
    const made = await run('file.save', { path: name.trim(), text: '', version: null }, { session });
    if (made === undefined) return;
    setName(undefined);
    onMade();
    go(session, 'files', made.path);
  };
  return (
    <form
      className="files-new"
      onSubmit={(event) => void make(event)}
      onKeyDown={(event) => event.key === 'Escape' && setName(undefined)}
    >
      <input
        aria-label="Path of the new file"
        placeholder="folder/name.ts"
        // biome-ignore lint/a11y/noAutofocus: the person just asked for this field
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <button type="submit" className="primary" disabled={busy || name.trim() === ''}>
        Create
      </button>
      <button type="button" className="quiet" onClick={() => setName(undefined)}>
        Cancel
      </button>
    </form>
  );
}
