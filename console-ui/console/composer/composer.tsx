import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import type { Item } from '../model/items.js';
import { useCommands, useConsole } from '../store/context.js';
import { AttachButton, Attached, useAttach } from './attached-files.js';
import { contentOf } from './attachments.js';
import { dropAttachments, useKeptAttachments } from './kept-attachments.js';
import { optionId, SuggestionList } from './suggestion-list.js';
import { useCompletion } from './use-completion.js';
import { useDraft } from './use-draft.js';
import { useSentBefore } from './use-sent-before.js';

/** Where you write to a session. While a turn is running, messages are queued, and you can interrupt it. */
export function Composer({
  session,
  items,
  onSent,
}: {
  session: SessionSummary;
  /** The conversation so far. */
  items: readonly Item[];
  onSent: () => void;
}) {
  const [text, setText] = useDraft(session.id);
  const attachments = useKeptAttachments(session.id);
  const attach = useAttach();
  const add = (files: FileList | null) => void attach(session.id, files);
  const { run, busy } = useCommands();
  const isRunning = session.state === 'running' || session.state === 'needs-you';
  const field = useFocus();
  const completion = useCompletion(session.id, field, setText);
  const goBack = useSentBefore(items, setText);
  const isOffered = completion.suggestions.length > 0;
  const isEmpty = text.trim() === '' && attachments.length === 0;
  const send = async () => {
    if (isEmpty || busy) return;
    const value = await run('send', { content: contentOf(text, attachments) }, { session: session.id });
    if (value === undefined) return;
    // Only accepted input is removed, immediately: the next key adds to what is in the field.
    flushSync(() => {
      onSent();
      setText(withoutStart(field.current?.value ?? '', text));
      dropAttachments(
        session.id,
        attachments.map(({ id }) => id),
      );
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (completion.onKeyDown(event) || goBack(event)) return;
    if (event.key === 'Escape') event.currentTarget.blur();
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
    >
      <Attached attachments={attachments} onRemove={(id) => dropAttachments(session.id, [id])} />
      <SuggestionList {...completion} />
      <textarea
        ref={field}
        aria-label="Message"
        placeholder={isRunning ? 'Write the next message; it is sent after this turn' : 'Write a message'}
        // For browsers that do not size the field automatically.
        rows={Math.min(10, text.split('\n').length)}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onSelect={completion.look}
        aria-autocomplete="list"
        aria-controls={isOffered ? completion.list : undefined}
        aria-activedescendant={isOffered ? optionId(completion.list, completion.chosen) : undefined}
        onPaste={(event: ClipboardEvent) => add(pastedFiles(event))}
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

/** Spreadsheets and word processors add a picture of the text that they copy: the text is meant. */
function pastedFiles({ clipboardData }: ClipboardEvent): FileList | null {
  return clipboardData.getData('text/plain') === '' ? clipboardData.files : null;
}

/** What was written since a text was sent. */
function withoutStart(now: string, sent: string): string {
  return now.startsWith(sent) ? now.slice(sent.length) : now;
}

/**
 * Opening a session usually means writing; on a phone, focusing would open the keyboard. If you navigate the list or
 * the tabs by keyboard, the focus stays there.
 */
function useFocus() {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const isFree = document.activeElement?.matches('body, .sidebar button') ?? true;
    if (matchMedia('(hover: hover)').matches && isFree) field.current?.focus();
  }, []);
  return field;
}

/** In the demo: suggested messages, so nobody has to guess what the script understands. */
function DemoLines({ isEmpty, onPick }: { isEmpty: boolean; onPick: (text: string) => void }) {
  const suggestions = useConsole(({ hello }) => hello?.suggestions);
  if (!isEmpty || suggestions === undefined || suggestions.length === 0) return null;
  return (
    <select
      aria-label="Send a demo message"
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
