import { memo } from 'react';
import { count, duration, estimatedDollars } from '../../../src/wire/util/numbers.js';
import { CopyButton } from '../../shared/copy-button.js';
import type { Item, NoteItem, SpeechItem, TurnEndItem } from '../model/items.js';
import { Markdown } from './markdown.js';
import { useUnfolded } from './session-context.js';
import { ToolRow } from './tool-row.js';
import { UserRow } from './user-row.js';

/** One row of a conversation. */
export const Row = memo(function Row({ item, nested = false }: { item: Item; nested?: boolean }) {
  switch (item.kind) {
    case 'user':
      return <UserRow item={item} nested={nested} />;
    case 'text':
      return (
        <div className="speech" data-streaming={item.state === 'writing'}>
          <Markdown text={item.text} />
          {item.state !== 'writing' && <CopyButton text={item.text} className="quiet small reveal" />}
        </div>
      );
    case 'thinking':
      return <Thinking item={item} />;
    case 'tool':
      return <ToolRow tool={item} Step={Row} />;
    case 'turn-end':
      return <TurnEnd item={item} />;
    case 'note':
      return <Note item={item} />;
  }
});

function Thinking({ item }: { item: SpeechItem }) {
  const [open, toggle] = useUnfolded(item.id);
  if (item.text === '' && item.state !== 'writing') return null;
  return (
    <div className="thinking">
      <button type="button" className="quiet small" aria-expanded={open} onClick={toggle}>
        {item.state === 'writing' ? 'Thinking…' : 'Thought'}
      </button>
      {open && <Markdown text={item.text} />}
    </div>
  );
}

function TurnEnd({ item }: { item: TurnEndItem }) {
  const facts = [
    duration(item.durationMs ?? 0),
    ...(item.tokens.outputTokens > 0 ? [`${count(item.tokens.outputTokens)} tokens`] : []),
    ...(item.turnUsd > 0 ? [estimatedDollars(item.turnUsd)] : []),
  ].join(' · ');
  return (
    <div className="turn-end" data-failed={item.failed}>
      {item.failed && <p className="turn-failure">{item.text}</p>}
      <p>
        {item.interrupted ? 'Interrupted · ' : ''}
        {facts}
      </p>
    </div>
  );
}

/** The maximum length of a note before it is collapsed. */
const NOTE_LENGTH = 280;

function Note({ item }: { item: NoteItem }) {
  const isLong = item.text.length > NOTE_LENGTH;
  return (
    <div className="note" data-level={item.level}>
      {isLong ? (
        <details>
          <summary>{item.text.slice(0, NOTE_LENGTH)}…</summary>
          <pre>{item.text}</pre>
        </details>
      ) : (
        <p>{item.text}</p>
      )}
    </div>
  );
}
