import { useContext } from 'react';
import { CopyButton } from '../../shared/copy-button.js';
import { attachmentsOf } from '../composer/attachments.js';
import { makeUuid } from '../link/uuid.js';
import { blocksText } from '../model/blocks.js';
import type { UserItem } from '../model/items.js';
import { useFork } from '../session-menu/use-fork.js';
import { useCommands, useWatchOnly } from '../store/context.js';
import { shortTime } from '../ui/time.js';
import { BlockList, LongText } from './block-list.js';
import { PIECE } from './pieces.js';
import { SessionContext } from './session-context.js';

/** A user message, with its actions. */
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
        {text !== '' && <CopyButton text={text} className="quiet small reveal" />}
        {!nested && <Actions item={item} state={state} text={text} />}
        <time dateTime={new Date(item.at).toISOString()}>{shortTime(item.at)}</time>
      </footer>
    </div>
  );
}

function Actions({
  item: { id, blocks },
  state,
  text,
}: {
  item: UserItem;
  state: UserItem['state'];
  text: string;
}) {
  const { session, connected, onRewind } = useContext(SessionContext);
  const { run } = useCommands();
  const { fork, busy } = useFork();
  const watchOnly = useWatchOnly();
  if (watchOnly) return null;
  if (state === 'queued')
    return (
      <button
        type="button"
        className="quiet small"
        onClick={() => void run('unsend', { uuid: id }, { session })}
      >
        Cancel
      </button>
    );
  if (state !== 'sent') return null;
  return (
    <>
      <button
        type="button"
        className="quiet small reveal"
        disabled={busy}
        title="Opens a copy of the conversation that ends before this message"
        onClick={() =>
          void fork(session, { before: id, draft: text, attachments: attachmentsOf(blocks, makeUuid) })
        }
      >
        Edit and resend
      </button>
      {connected && (
        <button type="button" className="quiet small reveal" onClick={() => onRewind(id)}>
          Rewind files to here
        </button>
      )}
    </>
  );
}
