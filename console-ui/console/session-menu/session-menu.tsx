import { useState } from 'react';
import type { MarksParams, SessionSummary } from '../../../src/entry/remote/contract.js';
import { useCommands, useConsole, useReach, useWatchOnly } from '../store/context.js';
import { Menu, type MenuItem } from '../ui/menu.js';
import { titleOf } from '../ui/names.js';
import { download } from './download.js';
import { asMarkdown, fileName } from './export-text.js';
import { CloseQuestion, DeleteQuestion, RenameQuestion, TagsQuestion } from './questions.js';
import { useFork } from './use-fork.js';

type Asked = 'rename' | 'tags' | 'close' | 'delete';

/** Actions on a whole session: in the list, and next to its name. */
export function SessionMenu({ session }: { session: SessionSummary }) {
  const [asked, setAsked] = useState<Asked>();
  const watchOnly = useWatchOnly();
  const items = useItems(session, setAsked);
  if (watchOnly) return null;
  const onClose = () => setAsked(undefined);
  return (
    <>
      <Menu label={`Menu of ${titleOf(session)}`} items={items} className="quiet icon session-menu" />
      {asked === 'rename' && <RenameQuestion session={session} onClose={onClose} />}
      {asked === 'tags' && <TagsQuestion session={session} onClose={onClose} />}
      {asked === 'close' && <CloseQuestion session={session} onClose={onClose} />}
      {asked === 'delete' && <DeleteQuestion session={session} onClose={onClose} />}
    </>
  );
}

function useItems(session: SessionSummary, ask: (what: Asked) => void): readonly MenuItem[] {
  const { run, busy } = useCommands();
  const { tell } = useReach();
  const isOwner = useConsole(({ hello }) => hello?.role === 'owner');
  const { id, conversation, cwd, state, pinned = false, archived = false } = session;
  const { fork } = useFork();
  const save = async (ending: 'md' | 'json') => {
    const value = await run('history.messages', { conversation: conversation ?? '', cwd });
    if (value === undefined) return;
    const { messages } = value;
    if (messages.length === 0) {
      tell('This conversation is not on disk yet.', 'error');
      return;
    }
    const text = ending === 'md' ? asMarkdown(titleOf(session), messages) : JSON.stringify(messages, null, 2);
    download(`${fileName(titleOf(session))}.${ending}`, text);
  };
  const isNew = conversation === undefined || busy;
  const isEnded = state === 'ended';
  const set = (marks: MarksParams) => void run('setMarks', marks, { session: id });
  return [
    { name: 'Rename', onPick: () => ask('rename') },
    { name: pinned ? 'Unpin' : 'Pin', onPick: () => set({ pinned: !pinned }) },
    { name: 'Tags…', onPick: () => ask('tags') },
    { name: archived ? 'Take out of the archive' : 'Archive', onPick: () => set({ archived: !archived }) },
    { name: 'Fork', onPick: () => void fork(id), disabled: isNew },
    { name: 'Export as Markdown', onPick: () => void save('md'), disabled: isNew },
    { name: 'Export as JSON', onPick: () => void save('json'), disabled: isNew },
    isEnded
      ? { name: 'Resume', onPick: () => void run('reopen', {}, { session: id }), disabled: busy }
      : { name: 'Close', onPick: () => ask('close') },
    ...(isOwner ? [{ name: 'Delete', onPick: () => ask('delete'), isDanger: true }] : []),
  ];
}
