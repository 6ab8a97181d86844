import { type RefObject, useEffect, useState } from 'react';

/** How long a prompt is there before keys answer it: a key that was on its way when it came up was not meant for it. */
const READ_MS = 500;

/**
 * Brings the focus to the card of a prompt, without which its keys do nothing: when it comes up and nothing else has
 * it, and by Escape from wherever it is. Says whether the card has been there long enough for its keys.
 */
export function useCardFocus(card: RefObject<HTMLElement | null>): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    // Whoever writes or reads elsewhere keeps the focus.
    if (document.activeElement === null || document.activeElement === document.body) card.current?.focus();
    const timer = setTimeout(() => setReady(true), READ_MS);
    const listen = ({ key, target }: KeyboardEvent) => {
      const isInDialog = target instanceof Element && target.closest('dialog') !== null;
      if (key === 'Escape' && !isInDialog) card.current?.focus();
    };
    addEventListener('keydown', listen);
    return () => {
      clearTimeout(timer);
      removeEventListener('keydown', listen);
    };
  }, [card]);
  return ready;
}
