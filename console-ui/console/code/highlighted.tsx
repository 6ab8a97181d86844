import { type ReactNode, useEffect, useState } from 'react';
import type { CodeSpan } from './grammars.js';

/** The longest code that is coloured: so much takes no time that anybody notices. */
const LONGEST = 32 * 1024;
/** What is still being written is coloured when it has come to rest. */
const REST_MS = 150;

/** Code in colours; as it is until what knows its language has been loaded, and where it is long. */
export function Highlighted({
  text,
  language,
  otherwise,
}: {
  text: string;
  language: string | undefined;
  otherwise: ReactNode;
}) {
  const spans = useSpans(text, language ?? '');
  if (spans === undefined) return otherwise;
  return spans.map(({ text: part, kind }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: spans do not move
    <span key={index} className={kind}>
      {part}
    </span>
  ));
}

function useSpans(text: string, language: string): readonly CodeSpan[] | undefined {
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
        // Without colours it can be read too.
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
