import { useState } from 'react';
import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { useCommands } from '../store/context.js';
import { go } from '../store/route.js';

/** Rename, close, open again or forget a session. */
export function SessionActions({ session }: { session: SessionSummary }) {
  const { run, busy } = useCommands();
  const [title, setTitle] = useState(session.title);
  const to = { session: session.id };
  const isEnded = session.state === 'ended';
  const forget = async () => {
    if ((await run('remove', {}, to)) !== undefined) go(undefined);
  };
  return (
    <>
      <form
        className="budget"
        onSubmit={(event) => {
          event.preventDefault();
          void run('rename', { title: title.trim() }, to);
        }}
      >
        <label>
          Name
          <input value={title} onChange={(event) => setTitle(event.target.value)} />
        </label>
        <button type="submit" disabled={busy || title.trim() === '' || title === session.title}>
          Rename
        </button>
      </form>
      <div className="server-actions">
        {isEnded ? (
          <>
            <button
              type="button"
              className="primary"
              disabled={busy}
              onClick={() => void run('reopen', {}, to)}
            >
              Resume
            </button>
            <button type="button" className="danger" disabled={busy} onClick={() => void forget()}>
              Take off the list
            </button>
          </>
        ) : (
          <button type="button" className="danger" disabled={busy} onClick={() => void run('close', {}, to)}>
            Close the session
          </button>
        )}
      </div>
    </>
  );
}
