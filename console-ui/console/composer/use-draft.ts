import { useCallback, useState } from 'react';

/** What is being written to a session; it survives a reload of the tab. Mount it once per session. */
export function useDraft(session: string): readonly [string, (text: string) => void] {
  const key = `coxswain.draft.${session}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  const write = useCallback(
    (next: string) => {
      setText(next);
      try {
        if (next === '') sessionStorage.removeItem(key);
        else sessionStorage.setItem(key, next);
      } catch {
        // Storage is full or forbidden: then the draft lives only as long as the page.
      }
    },
    [key],
  );
  return [text, write];
}
