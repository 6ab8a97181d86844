import { useEffect, useState } from 'react';
import type { AnsiSpan } from './ansi.js';
import { terminalLines, withoutCodes } from './terminal-lines.js';
import { VisibleText } from './visible-text.js';

/** The longest text whose colours are parsed. */
const COLOURED = 64 * 1024;

/** Program output in its colours. The parser is loaded on first use. */
export function TerminalText({ text }: { text: string }) {
  const printed = terminalLines(text);
  const spans = useSpans(printed.includes('\u001b') && printed.length <= COLOURED ? printed : undefined);
  if (spans === undefined) return <VisibleText text={withoutCodes(printed)} />;
  return spans.map(({ text: part, looks, colour, background }, index) => (
    <span
      // biome-ignore lint/suspicious/noArrayIndexKey: spans do not move
      key={index}
      className={looks.length === 0 ? undefined : looks.map((name) => `ansi-${name}`).join(' ')}
      style={{ color: colour, backgroundColor: background }}
    >
      <VisibleText text={part} />
    </span>
  ));
}

function useSpans(text: string | undefined): readonly AnsiSpan[] | undefined {
  const [spans, setSpans] = useState<{ readonly of: string; readonly all: readonly AnsiSpan[] }>();
  useEffect(() => {
    if (text === undefined) return;
    let isCurrent = true;
    import('./ansi.js').then(
      ({ ansiSpans }) => isCurrent && setSpans({ of: text, all: ansiSpans(text) }),
      // It is readable without colours too.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [text]);
  return spans !== undefined && spans.of === text ? spans.all : undefined;
}
