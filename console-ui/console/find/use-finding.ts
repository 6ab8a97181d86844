import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';

/** Whether a search is open in a conversation, and for what. */
export interface Finding {
  /** Undefined while there is none. */
  readonly text: string | undefined;
  readonly set: (text: string) => void;
  readonly begin: () => void;
  readonly end: () => void;
  /** Takes over the key of the browser's own search, which would see only rendered rows. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** A search in the address starts immediately. */
export function useFinding(asked: string | undefined): Finding {
  const [text, setText] = useState(asked);
  useEffect(() => {
    if (asked !== undefined) setText(asked);
  }, [asked]);
  return useMemo(() => {
    const begin = () => setText((before) => before ?? '');
    return {
      text,
      set: setText,
      begin,
      end: () => setText(undefined),
      onKeyDown: (event) => {
        if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
        event.preventDefault();
        begin();
        document.querySelector<HTMLElement>('.find-bar input')?.focus();
      },
    };
  }, [text]);
}
