import { useEffect, useRef } from 'react';
import { useReach } from '../store/context.js';
import { readRoute } from '../store/route.js';
import type { ConsoleState } from '../store/state.js';
import { useAttach } from './attached-files.js';

/**
 * Files that are dropped anywhere on the page are attached to the next message of the open session. Otherwise the
 * browser would open them instead of the page.
 */
export function useDrop(): void {
  const { store, tell } = useReach();
  const attach = useAttach();
  const take = (files: FileList | null) => {
    const { session, tab } = readRoute(location.hash);
    const problem = whyNot(store.get(), session);
    if (problem !== undefined) tell(problem, 'error');
    else
      void attach(session ?? '', files).then(
        (all) => all && tab !== 'conversation' && tell('Attached to the next message of this session.'),
      );
  };
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => hasFiles(event) && event.preventDefault();
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      latest.current(event.dataTransfer?.files ?? null);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
}

/** Why files cannot be attached to a session's next message; undefined if they can. */
function whyNot({ sessions, hello }: ConsoleState, id: string | undefined): string | undefined {
  if (hello?.role === 'watcher') return 'Your key is read-only: you cannot attach files.';
  const session = id === undefined ? undefined : sessions.get(id);
  if (session === undefined) return 'Open a session first, then drop the files on it.';
  return session.state === 'ended'
    ? 'This session has ended. Resume it, then drop the files again.'
    : undefined;
}
