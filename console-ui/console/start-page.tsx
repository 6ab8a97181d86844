import { useState } from 'react';
import { Worktrees } from './changes/worktrees.js';
import { NewSession } from './sidebar/new-session.js';
import { useIsOpen, useWatchOnly } from './store/context.js';
import { Announcer } from './ui/announcer.js';

/** Shown while no session is selected. */
export function StartPage({ missing }: { missing: boolean }) {
  const [opening, setOpening] = useState(false);
  const watchOnly = useWatchOnly();
  const isOpen = useIsOpen();
  return (
    <main className="nothing">
      <h1>{missing ? 'Session not found' : 'Coxswain console'}</h1>
      <p className="faint">
        Choose a session on the left{!watchOnly && ', or open a new one'}. Sessions continue without this page
        {!watchOnly && ', and their prompts wait for you'}.
      </p>
      {!watchOnly && (
        <p>
          <button type="button" disabled={!isOpen} onClick={() => setOpening(true)}>
            Open a session
          </button>
        </p>
      )}
      {!watchOnly && <Worktrees />}
      {opening && <NewSession onClose={() => setOpening(false)} />}
      <Announcer view={undefined} />
    </main>
  );
}
