import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import type { Item } from '../model/items.js';
import type { CutOff } from '../model/view.js';
import { FindBar } from './find-bar.js';
import { paintWords } from './paint.js';
import type { Finding } from './use-finding.js';

/** The search of a conversation: its bar, and the row that was found. */
export function useFindBar({
  frame,
  session,
  items,
  cutOff,
  finding,
  scrollTo,
}: {
  frame: RefObject<HTMLElement | null>;
  session: string;
  items: readonly Item[];
  cutOff: CutOff;
  finding: Finding;
  scrollTo: (index: number, options: { align: 'center' }) => void;
}): { readonly bar: ReactNode; readonly row: string | undefined } {
  const [row, setRow] = useState<string>();
  const show = (id: string | undefined) => {
    setRow(id);
    const index = id === undefined ? -1 : items.findIndex((item) => item.id === id);
    if (index >= 0) scrollTo(index, { align: 'center' });
  };
  const close = () => {
    finding.end();
    setRow(undefined);
    frame.current?.focus();
  };
  useEffect(() => {
    const element = frame.current;
    const paint = () => paintWords(element, finding.text ?? '');
    paint();
    if (element === null || finding.text === undefined) return;
    // Rows appear and disappear, and code gets its colours.
    const changes = new MutationObserver(paint);
    changes.observe(element, { childList: true, characterData: true, subtree: true });
    return () => changes.disconnect();
  }, [frame, finding.text]);
  if (finding.text === undefined) return { bar: null, row: undefined };
  const bar = (
    <FindBar
      session={session}
      items={items}
      cutOff={cutOff}
      text={finding.text}
      onText={finding.set}
      onShow={show}
      onClose={close}
    />
  );
  return { bar, row };
}
