import { useEffect, useMemo, useState } from 'react';

/** Whether a search is open in a conversation, and for what. */
export interface Finding {
  /** Undefined while there is none. */
  readonly text: string | undefined;
  readonly set: (text: string) => void;
  readonly begin: () => void;
  readonly end: () => void;
}

/** A search in the address starts immediately; the browser's key starts one while the conversation is shown. */
export function useFinding(asked: string | undefined, isShown: boolean): Finding {
  const [text, setText] = useState(asked);
  useEffect(() => {
    if (asked !== undefined) setText(asked);
  }, [asked]);
  const finding = useMemo(
    () => ({
      text,
      set: setText,
      begin: () => setText((before) => before ?? ''),
      end: () => setText(undefined),
    }),
    [text],
  );
  useFindKey(isShown, finding.begin);
  return finding;
}

/** Takes over the key of the browser's own search, which would see only rendered rows. */
function useFindKey(isShown: boolean, begin: () => void): void {
  useEffect(() => {
    if (!isShown) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (document.querySelector('dialog:modal') !== null) return;
      event.preventDefault();
      begin();
      document.querySelector<HTMLElement>('.find-bar input')?.focus();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isShown, begin]);
}
