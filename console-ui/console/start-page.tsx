import { useState } from 'react';
import type { SessionSummary } from '../../src/entry/remote/contract.js';
import { Worktrees } from './changes/worktrees.js';
import { NewSession } from './sidebar/new-session.js';
import { useConsole, useIsOpen, useWatchOnly } from './store/context.js';
import { Ago } from './ui/ago.js';
import { Announcer } from './ui/announcer.js';
import { folderName } from './ui/names.js';

/** Shown while no session is selected: what to do first, and where work was done last. */
export function StartPage({ missing }: { missing: boolean }) {
  const [folder, setFolder] = useState<{ readonly path: string | undefined }>();
  const watchOnly = useWatchOnly();
  const isOpen = useIsOpen();
  const sessions = useConsole((state) => state.sessions);
  const recent = recentFolders([...sessions.values()]);
  return (
    <main className="nothing start">
      <h1>{missing ? 'Session not found' : recent.length === 0 ? 'Open your first session' : 'Coxswain'}</h1>
      <p className="faint">
        {recent.length === 0 && !watchOnly
          ? 'A session is a CLI at work in a folder. It continues without this page, and its prompts wait for you.'
          : 'Choose a session from the list. Sessions continue without this page.'}
      </p>
      {!watchOnly && (
        <p>
          <button
            type="button"
            className={recent.length === 0 ? 'primary' : undefined}
            disabled={!isOpen}
            onClick={() => setFolder({ path: undefined })}
          >
            Open a session
          </button>
        </p>
      )}
      {!watchOnly && recent.length > 0 && (
        <section className="recent" aria-labelledby="recent">
          <h2 id="recent">Recent folders</h2>
          <ul>
            {recent.map(({ path, at }) => (
              <li key={path}>
                <button type="button" disabled={!isOpen} onClick={() => setFolder({ path })}>
                  <span className="recent-name">{folderName(path)}</span>
                  <span className="faint recent-path">{path}</span>
                  <span className="faint">
                    <Ago at={at} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {!watchOnly && <Worktrees />}
      {folder !== undefined && <NewSession folder={folder.path} onClose={() => setFolder(undefined)} />}
      <Announcer view={undefined} />
    </main>
  );
}

/** How many folders are listed. */
const MOST = 6;

/** The folders of sessions, the last used first. */
function recentFolders(
  sessions: readonly SessionSummary[],
): readonly { readonly path: string; readonly at: number }[] {
  const used = new Map<string, number>();
  for (const { cwd, repository = cwd, changedAt } of sessions)
    used.set(repository, Math.max(changedAt, used.get(repository) ?? 0));
  return [...used]
    .map(([path, at]) => ({ path, at }))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST);
}
