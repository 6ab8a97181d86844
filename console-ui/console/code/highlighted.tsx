import type { ReactNode } from 'react';
import { useSpans } from './use-spans.js';

/** Highlighted code; plain until the grammar is loaded, and if it is too long. */
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
