import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';

/** Whether something is being looked for in a conversation, and what. */
export interface Finding {
  /** Undefined while nothing is. */
  readonly text: string | undefined;
  readonly set: (text: string) => void;
  readonly begin: () => void;
  readonly end: () => void;
  /** Takes the key of the browser's own search, which would see only the rows in sight. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** What the address asks for is looked for at once. */
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
