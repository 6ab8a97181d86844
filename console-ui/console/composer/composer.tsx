import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { makeUuid } from '../link/uuid.js';
import { useCommands, useConsole, useReach } from '../store/context.js';
import { type Attachment, contentOf, readAttachment } from './attachments.js';
import { useDraft } from './use-draft.js';

/** Where a person writes to a session. While a turn runs, messages are queued, and it can be interrupted. */
export function Composer({ session, onSent }: { session: SessionSummary; onSent: () => void }) {
  const [text, setText] = useDraft(session.id);
  const { attachments, add, remove, clear } = useAttachments();
  const { run, busy } = useCommands();
  const isRunning = session.state === 'running' || session.state === 'needs-you';
  const field = useFocus();
  const isEmpty = text.trim() === '' && attachments.length === 0;
  const send = async () => {
    if (isEmpty || busy) return;
    const value = await run('send', { content: contentOf(text, attachments) }, { session: session.id });
    // Only what was taken is gone from here.
    if (value === undefined) return;
    onSent();
    setText('');
    clear();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') (event.target as HTMLElement).blur();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        add(event.dataTransfer.files);
      }}
    >
      <Attached attachments={attachments} onRemove={remove} />
      <textarea
        ref={field}
        aria-label="Message"
        placeholder={isRunning ? 'Write the next message; it waits its turn' : 'Write a message'}
        // Where the browser does not size the field by itself.
        rows={Math.min(10, text.split('\n').length)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={(event: ClipboardEvent) => add(event.clipboardData.files)}
      />
      <div className="composer-actions">
        <AttachButton onFiles={add} />
        <DemoLines isEmpty={isEmpty && !isRunning} onPick={setText} />
        <span className="spacer" />
        {isRunning && (
          <button type="button" onClick={() => void run('interrupt', {}, { session: session.id })}>
            Interrupt
          </button>
        )}
        <button type="submit" className="primary" disabled={isEmpty || busy}>
          {isRunning ? 'Queue' : 'Send'}
        </button>
      </div>
    </form>
  );
}

/**
 * Whoever opens a session most often wants to write; on a phone that would bring up the keyboard. Whoever walks through
 * the list or the tabs by key stays there.
 */
function useFocus() {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const isFree = document.activeElement?.matches('body, .sidebar button') ?? true;
    if (matchMedia('(hover: hover)').matches && isFree) field.current?.focus();
  }, []);
  return field;
}

function useAttachments() {
  const { tell } = useReach();
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const add = (files: FileList | null) => {
    for (const file of files ?? []) {
      readAttachment(file, makeUuid).then(
        (attachment) => setAttachments((before) => [...before, attachment]),
        (error: unknown) => tell(error instanceof Error ? error.message : String(error), 'error'),
      );
    }
  };
  const remove = (id: string) => setAttachments((before) => before.filter((each) => each.id !== id));
  return { attachments, add, remove, clear: () => setAttachments([]) };
}

function Attached({
  attachments,
  onRemove,
}: {
  attachments: readonly Attachment[];
  onRemove: (id: string) => void;
}) {
  if (attachments.length === 0) return null;
  return (
    <ul className="attached" aria-label="Attached">
      {attachments.map(({ id, name, preview }) => (
        <li key={id}>
          {preview !== undefined && <img src={preview} alt="" />}
          <span>{name}</span>
          <button
            type="button"
            className="quiet icon"
            aria-label={`Take ${name} away`}
            onClick={() => onRemove(id)}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}

function AttachButton({ onFiles }: { onFiles: (files: FileList | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="quiet" onClick={() => input.current?.click()}>
        Attach
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onFiles(event.target.files);
          event.target.value = '';
        }}
      />
    </>
  );
}

/** In the demo: what could be said, so that nobody has to guess what the script understands. */
function DemoLines({ isEmpty, onPick }: { isEmpty: boolean; onPick: (text: string) => void }) {
  const suggestions = useConsole(({ hello }) => hello?.suggestions);
  if (!isEmpty || suggestions === undefined || suggestions.length === 0) return null;
  return (
    <select
      aria-label="Say a line of the demo"
      value=""
      onChange={(event) => onPick(event.target.value)}
      className="demo-lines"
    >
      <option value="">Say…</option>
      {suggestions.map((line) => (
        <option key={line} value={line}>
          {line}
        </option>
      ))}
    </select>
  );
}
