import { memo, useState } from 'react';
import { counted } from '../../src/wire/util/numbers.js';
import './json-tree.css';

/** A JSON value as a collapsible tree. */
export function JsonTree({ value }: { readonly value: unknown }) {
  return (
    <div className="wire-json">
      <JsonNode value={value} depth={0} last />
    </div>
  );
}

interface NodeProps {
  readonly name?: string | undefined;
  readonly value: unknown;
  readonly depth: number;
  readonly last: boolean;
}

/** Deeper or longer values are collapsed at first. */
const OPEN_DEPTH = 4;
const OPEN_LENGTH = 60;

const JsonNode = memo(function JsonNode({ name, value, depth, last }: NodeProps) {
  const children = childrenOf(value);
  const [open, setOpen] = useState(depth < OPEN_DEPTH && (children?.length ?? 0) <= OPEN_LENGTH);
  if (children === undefined || children.length === 0) {
    return (
      <div className="wire-json-line">
        <Name name={name} />
        <Leaf value={value} />
        {last ? '' : ','}
      </div>
    );
  }
  const [left, right] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const size = counted(children.length, Array.isArray(value) ? 'item' : 'key');
  return (
    <div>
      <button type="button" className="wire-json-fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Name name={name} />
        {open ? left : `${left}…${right}${last ? '' : ','}`}
        {open ? '' : <span className="wire-json-size"> {size}</span>}
      </button>
      {open && (
        <>
          <div className="wire-json-inner">
            {children.map(([key, child], index) => (
              <JsonNode
                key={key}
                name={Array.isArray(value) ? undefined : key}
                value={child}
                depth={depth + 1}
                last={index === children.length - 1}
              />
            ))}
          </div>
          <div className="wire-json-line">
            {right}
            {last ? '' : ','}
          </div>
        </>
      )}
    </div>
  );
});

function Name({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null;
  return (
    <>
      <span className="wire-json-key">{JSON.stringify(name)}</span>
      {': '}
    </>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <TextLeaf text={value} />;
  const kind = value === null ? 'null' : typeof value;
  return <span className={`wire-json-${kind}`}>{JSON.stringify(value)}</span>;
}

/** Longer texts are cut until expanded. */
const LONGEST = 600;

function TextLeaf({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState(false);
  const isCut = text.length > LONGEST && !whole;
  const shown = isCut ? text.slice(0, LONGEST) : text;
  return (
    <>
      <span className="wire-json-string">
        {/* Lines of a text are easier to read as lines. */}
        {shown.includes('\n')
          ? `"${shown}${isCut ? '…' : '"'}`
          : `${JSON.stringify(shown).slice(0, -1)}${isCut ? '…' : '"'}`}
      </span>
      {isCut && (
        <button type="button" className="wire-more" onClick={() => setWhole(true)}>
          show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </>
  );
}

function childrenOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
}
