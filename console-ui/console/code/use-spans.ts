import { useEffect, useState } from 'react';
import type { CodeSpan } from './grammars.js';

/** The longest code to highlight: this takes no noticeable time. */
const LONGEST = 32 * 1024;
/** Text that is still streaming is highlighted when it is complete. */
const REST_MS = 150;

/** The spans of code once its grammar is loaded; undefined if it stays plain. */
export function useSpans(text: string, language: string): readonly CodeSpan[] | undefined {
  const [spans, setSpans] = useState<{
    readonly of: string;
    readonly all: readonly CodeSpan[] | undefined;
  }>();
  useEffect(() => {
    if (language === '' || text.length > LONGEST) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      import('./grammars.js').then(
        ({ codeSpans }) => isCurrent && setSpans({ of: text, all: codeSpans(text, language.toLowerCase()) }),
        // It is readable without colours too.
        () => {},
      );
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, language]);
  return spans !== undefined && spans.of === text ? spans.all : undefined;
}
