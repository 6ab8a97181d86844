import { useMemo, useState } from 'react';
import type { Block } from '../model/items.js';
import { InSight } from './in-sight.js';
import { PIECE, textPieces } from './pieces.js';
import { terminalLines, withoutCodes } from './terminal-lines.js';
import { TerminalText } from './terminal-text.js';
import { VisibleText } from './visible-text.js';

/** How much of a long text is shown at first. */
const SHOWN = 4_000;

/** The blocks of a tool's result or a user message: plain text, terminal text and images. */
export function BlockList({
  blocks,
  alt,
  printed = false,
}: {
  blocks: readonly Block[];
  alt: string;
  /** Whether the text is program output. */
  printed?: boolean;
}) {
  return blocks.map((block, index) => {
    const key = `${index}-${block.type}`;
    if (block.type === 'image') return <Picture key={key} source={block.source} alt={alt} />;
    if (block.type === 'file')
      return (
        <p key={key} className="file-chip">
          {block.name}
        </p>
      );
    const text = block.type === 'text' ? block.text : JSON.stringify(block.json, null, 2);
    return <LongText key={key} text={text} printed={printed} />;
  });
}

/** A text of any length: its start, then all of it, rendered as you scroll. */
export function LongText({ text, printed = false }: { text: string; printed?: boolean }) {
  const [all, setAll] = useState(text.length <= SHOWN);
  const beginning = text.slice(0, SHOWN);
  return (
    <div className="long-text">
      <pre tabIndex={0}>
        {printed && (!all || text.length <= PIECE) ? (
          <TerminalText text={all ? text : beginning} />
        ) : all ? (
          <TextPieces text={printed ? withoutCodes(terminalLines(text)) : text} />
        ) : (
          <VisibleText text={beginning} />
        )}
      </pre>
      {!all && (
        <button type="button" className="quiet small" data-cut onClick={() => setAll(true)}>
          Show all {text.length.toLocaleString()} characters
        </button>
      )}
    </div>
  );
}

/** The approximate line height, and how many characters fit on a line. */
const LINE_PX = 18;
const LINE_CHARACTERS = 90;

/**
 * A text in pieces, each rendered when it comes near the visible area; as is, or with invisible characters
 * made visible.
 */
export function TextPieces({ text, raw = false }: { text: string; raw?: boolean }) {
  const pieces = useMemo(() => textPieces(text), [text]);
  const show = (piece: string) => (raw ? piece : <VisibleText text={piece} />);
  if (pieces.length <= 1) return show(text);
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces do not move
    <InSight key={index} height={LINE_PX * linesIn(piece)}>
      {show(piece.replace(/\n$/, ''))}
    </InSight>
  ));
}

function linesIn(text: string): number {
  const lines = text.split('\n');
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_CHARACTERS)), 0);
}

/** An image that a press enlarges. */
export function Picture({ source, alt }: { source: string; alt: string }) {
  const [large, setLarge] = useState(false);
  return (
    <button
      type="button"
      className="picture"
      aria-label={large ? 'Show smaller' : 'Show larger'}
      data-large={large}
      onClick={() => setLarge(!large)}
    >
      <img src={source} alt={alt} />
    </button>
  );
}
