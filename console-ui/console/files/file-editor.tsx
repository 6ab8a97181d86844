import { type KeyboardEvent, useState } from 'react';
import type { FileView } from '../../../src/entry/remote/contract.js';
import { DiffView } from '../conversation/diff-view.js';
import { changeBetween } from '../conversation/edits.js';
import { CommandFailed } from '../link/link.js';
import { failureText, useReach } from '../store/context.js';
import { type Draft, setDraft, withLineEnds } from './drafts.js';

/** Edits a file as plain text. What has changed on disk meanwhile is shown before it is overwritten. */
export function FileEditor({
  session,
  path,
  draft,
  onChange,
  onClosed,
}: {
  session: string;
  path: string;
  draft: Draft;
  onChange: () => void;
  /** It was saved, or its changes were dropped. */
  onClosed: () => void;
}) {
  const { link, tell } = useReach();
  const [busy, setBusy] = useState(false);
  /** What is on disk; null if the file is gone. */
  const [conflict, setConflict] = useState<FileView | null>();
  const close = () => {
    setDraft(session, path, undefined);
    onClosed();
  };
  const save = async (version: string | null) => {
    if (busy) return;
    setBusy(true);
    try {
      const text = withLineEnds(draft.text, draft.lineEnds);
      await link.command('file.save', { path, text, version }, { session });
      tell('Saved.');
      close();
    } catch (error) {
      if (error instanceof CommandFailed && error.code === 'FILE_CHANGED')
        setConflict(await link.command('file', { path }, { session }).catch(() => null));
      else tell(failureText(error), 'error');
    } finally {
      setBusy(false);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void save(draft.version);
  };
  return (
    <form
      className="file-editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save(draft.version);
      }}
      onKeyDown={onKeyDown}
    >
      {conflict !== undefined && (
        <Conflict
          disk={conflict}
          draft={draft}
          path={path}
          onOverwrite={() => void save(conflict?.version ?? null)}
          onTake={close}
        />
      )}
      <textarea
        aria-label={`Edit ${path}`}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the person just asked for this field
        autoFocus
        value={draft.text}
        onChange={(event) => {
          setDraft(session, path, { ...draft, text: event.target.value });
          onChange();
        }}
      />
      <div className="file-editor-actions">
        <button type="submit" className="primary" disabled={busy}>
          Save
        </button>
        <button type="button" className="quiet" onClick={close}>
          Discard
        </button>
        <span className="faint">Ctrl+S saves.</span>
      </div>
    </form>
  );
}

function Conflict({
  disk,
  draft,
  path,
  onOverwrite,
  onTake,
}: {
  disk: FileView | null;
  draft: Draft;
  path: string;
  onOverwrite: () => void;
  onTake: () => void;
}) {
  const edit = changeBetween(path, (disk?.text ?? '').replaceAll('\r\n', '\n'), draft.text);
  const canOverwrite = disk === null || disk.version !== undefined;
  return (
    <div className="file-conflict" role="alert">
      <p>
        {disk === null
          ? 'The file was deleted since you opened it.'
          : 'The file has changed since you opened it. Your text, compared with what is on disk:'}
      </p>
      {disk !== null && edit !== undefined && <DiffView edit={edit} part="yours" />}
      <div className="prompt-actions">
        {canOverwrite && (
          <button type="button" className="danger" onClick={onOverwrite}>
            {disk === null ? 'Create it again' : 'Overwrite it'}
          </button>
        )}
        <button type="button" onClick={onTake}>
          {disk === null ? 'Discard mine' : 'Discard mine, and read it again'}
        </button>
      </div>
    </div>
  );
}
