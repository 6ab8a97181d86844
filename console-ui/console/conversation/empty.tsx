import { useContext } from 'react';
import { useCommands, useConsole } from '../store/context.js';
import { SessionContext } from './session-context.js';

/** A conversation without messages; in the demo, with suggestions. */
export function Empty() {
  const { session, connected } = useContext(SessionContext);
  const suggestions = useConsole(({ hello }) => hello?.suggestions) ?? [];
  const { run, busy } = useCommands();
  return (
    <div className="empty">
      <p>No messages yet.</p>
      {connected && suggestions.length > 0 && (
        <>
          <p className="faint">Try one of these:</p>
          <ul>
            {suggestions.map((line) => (
              <li key={line}>
                <button
                  type="button"
                  disabled={busy}
                  onClick={() => void run('send', { content: line }, { session })}
                >
                  {line}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
