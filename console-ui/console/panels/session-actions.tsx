import { useState } from 'react';
import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { CloseQuestion, DeleteQuestion, RenameQuestion } from '../session-menu/questions.js';
import { useCommands, useConsole } from '../store/context.js';

const QUESTIONS = { rename: RenameQuestion, close: CloseQuestion, delete: DeleteQuestion };

/** Rename, close, open again or delete a session. */
export function SessionActions({ session }: { session: SessionSummary }) {
  const { run, busy } = useCommands();
  const isOwner = useConsole(({ hello }) => hello?.role === 'owner');
  const [asked, setAsked] = useState<keyof typeof QUESTIONS>();
  const Asked = asked && QUESTIONS[asked];
  const isEnded = session.state === 'ended';
  return (
    <div className="server-actions">
      <button type="button" onClick={() => setAsked('rename')}>
        Rename
      </button>
      {isEnded ? (
        <button
          type="button"
          className="primary"
          disabled={busy}
          onClick={() => void run('reopen', {}, { session: session.id })}
        >
          Resume
        </button>
      ) : (
        <button type="button" className="danger" onClick={() => setAsked('close')}>
          Close the session
        </button>
      )}
      {isOwner && (
        <button type="button" className="danger" onClick={() => setAsked('delete')}>
          Delete the session
        </button>
      )}
      {Asked !== undefined && <Asked session={session} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
