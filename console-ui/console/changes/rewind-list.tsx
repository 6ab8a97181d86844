import { useContext } from 'react';
import { SessionContext } from '../conversation/session-context.js';
import { blocksText } from '../model/blocks.js';
import type { Item } from '../model/items.js';
import { useWatchOnly } from '../store/context.js';
import { shortTime } from '../ui/time.js';

/** How many messages are listed, and how much of each. */
const LISTED = 50;
const LENGTH = 120;

/** The messages that files can be rewound to, the latest first. */
export function RewindList({ items }: { items: readonly Item[] }) {
  const { connected, onRewind } = useContext(SessionContext);
  const watchOnly = useWatchOnly();
  const messages = items.filter((item) => item.kind === 'user' && item.state === 'sent').toReversed();
  if (messages.length === 0 || watchOnly) return null;
  return (
    <details className="rewind-list">
      <summary>Rewind files to a message</summary>
      {!connected && <p className="faint">Only the CLI can do that. Resume the session first.</p>}
      <ul>
        {messages.slice(0, LISTED).map((item) => (
          <li key={item.id}>
            <button type="button" className="quiet" disabled={!connected} onClick={() => onRewind(item.id)}>
              <time dateTime={new Date(item.at).toISOString()}>{shortTime(item.at)}</time>{' '}
              {item.kind === 'user' && titleOf(blocksText(item.blocks))}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function titleOf(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > LENGTH ? `${line.slice(0, LENGTH)}…` : line;
}
