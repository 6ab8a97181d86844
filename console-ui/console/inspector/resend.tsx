import { useState } from 'react';
import { failureText, useReach } from '../store/context.js';
import { Dialog } from '../ui/dialog.js';
import { readRequest } from './request-text.js';

/** Sends a control request as typed, and shows the CLI's answer. */
export function Resend({
  session,
  initial,
  onClose,
}: {
  session: string;
  initial: string;
  onClose: () => void;
}) {
  const { link } = useReach();
  const [text, setText] = useState(initial);
  const [answer, setAnswer] = useState<{ readonly text: string; readonly failed: boolean }>();
  const [busy, setBusy] = useState(false);
  const request = readRequest(text);
  const send = async () => {
    if ('problem' in request) return;
    setBusy(true);
    try {
      const value = await link.command('control', request, { session });
      setAnswer({ text: JSON.stringify(value, null, 2), failed: false });
    } catch (error) {
      setAnswer({ text: failureText(error), failed: true });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title="Send a control request" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <label className="form-field">
          The request; its id is made when it is sent
          <textarea
            rows={12}
            spellCheck={false}
            value={text}
            aria-invalid={'problem' in request}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        {'problem' in request && <p className="problem">{request.problem}</p>}
        <div className="prompt-actions">
          <button type="submit" className="primary" disabled={busy || 'problem' in request}>
            Send
          </button>
          <button type="button" className="quiet" onClick={onClose}>
            Close
          </button>
        </div>
      </form>
      {answer !== undefined && (
        <section aria-label="Answer" aria-live="polite">
          <h3>{answer.failed ? 'Refused' : 'Answer'}</h3>
          <pre tabIndex={0}>{answer.text}</pre>
        </section>
      )}
    </Dialog>
  );
}
