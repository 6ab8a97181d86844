import { useContext } from 'react';
import { blocksText } from '../model/blocks.js';
import type { UserItem } from '../model/items.js';
import { useCommands, useWatchOnly } from '../store/context.js';
import { shortTime } from '../ui/time.js';
import { BlockList, LongText } from './block-list.js';
import { PIECE } from './pieces.js';
import { SessionContext } from './session-context.js';

/** A message of a person, with what can be done about it. */
export function UserRow({ item, nested }: { item: UserItem; nested: boolean }) {
  const text = blocksText(item.blocks);
  const { queued } = useContext(SessionContext);
  const state = queued.includes(item.id) ? 'queued' : item.state;
  const others = item.blocks.filter(({ type }) => type !== 'text');
  return (
    <div className="user" data-state={state} data-nested={nested}>
      <div className="bubble">
        {others.length > 0 && <BlockList blocks={others} alt="Attached picture" />}
        {text.length > PIECE && <LongText text={text} />}
        {text !== '' && text.length <= PIECE && <p className="user-text">{text}</p>}
      </div>
      <footer>
        {state === 'queued' && <span className="tag">waiting</span>}
        {state === 'dropped' && <span className="tag">not sent</span>}
        {!nested && <Actions id={item.id} state={state} />}
        <time dateTime={new Date(item.at).toISOString()}>{shortTime(item.at)}</time>
      </footer>
    </div>
  );
}

function Actions({ id, state }: Pick<UserItem, 'id' | 'state'>) {
  const { session, connected, onRewind } = useContext(SessionContext);
  const { run } = useCommands();
  const watchOnly = useWatchOnly();
  if (watchOnly) return null;
  if (state === 'queued')
    return (
      <button
        type="button"
        className="quiet small"
        onClick={() => void run('unsend', { uuid: id }, { session })}
      >
        Take back
      </button>
    );
  if (state !== 'sent' || !connected) return null;
  return (
    <button type="button" className="quiet small reveal" onClick={() => onRewind(id)}>
      Rewind files to here
    </button>
  );
}
