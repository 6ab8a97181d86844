import { useState } from 'react';
import type { Block } from '../model/items.js';
import { VisibleText } from './visible-text.js';

/** How much of a long text is shown before somebody asks for more. */
const SHOWN = 4_000;

/** The blocks of a tool's result or of a user message, as plain text and pictures. */
export function BlockList({ blocks, alt }: { blocks: readonly Block[]; alt: string }) {
  return blocks.map((block, index) => {
    const key = `${index}-${block.type}`;
    if (block.type === 'image') return <Picture key={key} source={block.source} alt={alt} />;
    if (block.type === 'file')
      return (
        <p key={key} className="file-chip">
          {block.name}
        </p>
      );
    return (
      <LongText key={key} text={block.type === 'text' ? block.text : JSON.stringify(block.json, null, 2)} />
    );
  });
}

/** How much more each time: one that is too long to be shown at once would stop the page. */
const STEP = 200_000;

/** A text of any length: more of it on demand. */
export function LongText({ text }: { text: string }) {
  const [shown, setShown] = useState(SHOWN);
  const left = text.length - shown;
  return (
    <div className="long-text">
      <pre tabIndex={0}>
        <VisibleText text={left > 0 ? text.slice(0, shown) : text} />
      </pre>
      {left > 0 && (
        <button type="button" className="quiet small" data-cut onClick={() => setShown(shown + STEP)}>
          {left <= STEP
            ? `Show all ${text.length.toLocaleString()} characters`
            : `Show more: ${left.toLocaleString()} of ${text.length.toLocaleString()} characters are left`}
        </button>
      )}
    </div>
  );
}

function Picture({ source, alt }: { source: string; alt: string }) {
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
