import { useState } from 'react';
import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { dropAttachments } from '../composer/kept-attachments.js';
import { tagsOf } from '../sidebar/search.js';
import { useCommands, useConsole } from '../store/context.js';
import { go, readRoute } from '../store/route.js';
import { titleOf } from '../ui/names.js';
import { Question } from '../ui/question.js';

interface Asking {
  readonly session: SessionSummary;
  readonly onClose: () => void;
}

export function RenameQuestion({ session, onClose }: Asking) {
  const { run, busy } = useCommands();
  const [title, setTitle] = useState(session.title);
  const name = title.trim();
  const rename = async () => (await run('rename', { title: name }, { session: session.id })) !== undefined;
  return (
    <Question
      title="Rename the session"
      yes="Rename"
      disabled={busy || name === ''}
      onYes={rename}
      onClose={onClose}
    >
      <label className="form-field">
        Name
        <input value={title} onChange={(event) => setTitle(event.target.value)} />
      </label>
    </Question>
  );
}

export function TagsQuestion({ session, onClose }: Asking) {
  const { run, busy } = useCommands();
  const sessions = useConsole((state) => state.sessions);
  const [text, setText] = useState((session.tags ?? []).join(', '));
  const tags = tagsIn(text);
  const others = tagsOf([...sessions.values()]).filter((tag) => !tags.includes(tag));
  const save = async () => (await run('setMarks', { tags }, { session: session.id })) !== undefined;
  return (
    <Question title="Tags" yes="Save" disabled={busy} onYes={save} onClose={onClose}>
      <label className="form-field">
        Tags, separated by commas
        <input value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      {others.length > 0 && (
        <p className="tag-filter">
          {others.map((tag) => (
            <button
              key={tag}
              type="button"
              className="tag"
              onClick={() => setText([...tags, tag].join(', '))}
            >
              + {tag}
            </button>
          ))}
        </p>
      )}
    </Question>
  );
}

function tagsIn(text: string): readonly string[] {
  const tags = text.split(',').map((tag) => tag.trim().replace(/^#/, ''));
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

export function CloseQuestion({ session, onClose }: Asking) {
  const { run, busy } = useCommands();
  const isWorking = session.state === 'running' || session.state === 'needs-you';
  const close = async () => (await run('close', {}, { session: session.id })) !== undefined;
  return (
    <Question
      title="Close this session?"
      yes="Close the session"
      isDanger
      disabled={busy}
      onYes={close}
      onClose={onClose}
    >
      <p>
        The CLI of “{titleOf(session)}” ends{isWorking && ', and its current work is interrupted'}. The
        conversation stays, and can be resumed.
      </p>
    </Question>
  );
}

export function DeleteQuestion({ session, onClose }: Asking) {
  const { run, busy } = useCommands();
  const [alsoOnDisk, setAlsoOnDisk] = useState(false);
  const { id, state, conversation } = session;
  const remove = async () => {
    const to = { session: id };
    if (state !== 'ended' && (await run('close', {}, to)) === undefined) return false;
    const transcript = alsoOnDisk && conversation !== undefined;
    if ((await run('remove', { transcript }, to)) === undefined) return false;
    dropAttachments(id);
    if (readRoute(location.hash).session === id) go(undefined);
    return true;
  };
  return (
    <Question
      title="Delete this session?"
      yes="Delete the session"
      isDanger
      disabled={busy}
      onYes={remove}
      onClose={onClose}
    >
      <p>
        “{titleOf(session)}” is removed from the list, with everything that this server has stored about it
        {state !== 'ended' && '; its CLI ends first'}.
      </p>
      {conversation !== undefined && (
        <label className="form-field option">
          Also delete the conversation from disk, permanently
          <input
            type="checkbox"
            checked={alsoOnDisk}
            onChange={(event) => setAlsoOnDisk(event.target.checked)}
          />
        </label>
      )}
    </Question>
  );
}
