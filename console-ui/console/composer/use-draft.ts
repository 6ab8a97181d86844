import { useCallback, useState } from 'react';

/** A session's draft; it survives a reload of the tab. Mount it once per session. */
export function useDraft(session: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => sessionStorage.getItem(keyOf(session)) ?? '');
  const write = useCallback(
    (next: string) => {
      setText(next);
      putDraft(session, next);
    },
    [session],
  );
  return [text, write];
}

/** Saves a text as a session's draft. */
export function putDraft(session: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(keyOf(session));
    else sessionStorage.setItem(keyOf(session), text);
  } catch {
    // Storage is full or forbidden: then the draft lives only as long as the page.
  }
}

function keyOf(session: string): string {
  return `coxswain.draft.${session}`;
}
