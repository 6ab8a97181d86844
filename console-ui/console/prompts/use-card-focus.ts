import { type RefObject, useEffect, useState } from 'react';

/** How long a prompt is visible before keys answer it: a key that was already being pressed was not meant for it. */
const READ_MS = 500;

/**
 * Focuses a prompt's card, without which its keys do nothing: when it appears and nothing else has the focus, and on
 * Escape from anywhere. Returns whether the card has been visible long enough for its keys.
 */
export function useCardFocus(card: RefObject<HTMLElement | null>): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    // If you are typing or reading elsewhere, the focus stays there.
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
