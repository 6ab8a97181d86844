import { type KeyboardEvent, useMemo, useRef } from 'react';
import { blocksText } from '../model/blocks.js';
import type { Item } from '../model/items.js';

/** How many earlier messages can be recalled. */
const KEPT = 200;

/**
 * Recalls earlier messages with the arrow keys, as in a terminal: up from an empty field or its first position, down
 * again to the draft. Returns a handler that says whether it took the key.
 */
export function useSentBefore(items: readonly Item[], setText: (text: string) => void) {
  const sent = useMemo(() => sentTexts(items), [items]);
  /** How far back you are, and what was in the field before. */
  const place = useRef({ back: 0, draft: '' });
  return (event: KeyboardEvent<HTMLTextAreaElement>): boolean => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const { back, draft } = place.current;
    const isBack = back > 0 && value === sent.at(-back);
    const now = isBack ? back : 0;
    const isFree = selectionStart === selectionEnd && (isBack || selectionStart === 0);
    const next = now + (MOVES[event.key] ?? 0);
    if (next === now || !isFree || event.shiftKey || next < 0 || next > sent.length) return false;
    event.preventDefault();
    place.current = { back: next, draft: now === 0 ? value : draft };
    setText(next === 0 ? place.current.draft : (sent.at(-next) ?? ''));
    return true;
  };
}

const MOVES: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 };

/** User messages, oldest first; repeated ones appear once. */
function sentTexts(items: readonly Item[]): readonly string[] {
  const texts = items.flatMap((item) => (item.kind === 'user' ? [blocksText(item.blocks)] : []));
  return texts.filter((text, index) => text.trim() !== '' && text !== texts[index - 1]).slice(-KEPT);
}
