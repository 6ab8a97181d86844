import { useEffect, useState } from 'react';
import type { Item } from '../model/items.js';
import { findWords, hasWords } from './item-text.js';

/** How long a slice of the search may block the page, and how long to wait for the next letter. */
const SLICE_MS = 8;
const PAUSE_MS = 120;

/** The rows that contain all words, by id, in order. A long conversation is searched in slices. */
export function useMatches(items: readonly Item[], text: string): readonly string[] {
  const [found, setFound] = useState<readonly string[]>([]);
  useEffect(() => {
    const words = findWords(text);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ids: string[] = [];
    const look = (from: number) => {
      const until = performance.now() + SLICE_MS;
      let at = from;
      while (at < items.length && performance.now() < until) {
        const item = items[at];
        if (item !== undefined && hasWords(item, words)) ids.push(item.id);
        at += 1;
      }
      if (at < items.length) timer = setTimeout(() => look(at), 0);
      else setFound(ids);
    };
    if (words.length === 0) setFound([]);
    else timer = setTimeout(() => look(0), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [items, text]);
  return found;
}
