import { useState } from 'react';
import type { Block } from '../model/items.js';

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

/** A text of any length: more of it on demand. */
export function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  const isCut = !whole && text.length > SHOWN;
  return (
    <div className="long-text">
      <pre tabIndex={0}>{isCut ? text.slice(0, SHOWN) : text}</pre>
      {isCut && (
        <button type="button" className="quiet small" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString()} characters
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
