import { useEffect, useRef, useState } from 'react';
import type { SessionSummary } from '../../../src/entry/remote/contract.js';
import { WireLog } from '../../shared/model/wire-log.js';
import { frameOf } from '../../shared/model/wire-row.js';
import { RecordingView } from '../../shared/recording-view.js';
import { useCanAsk } from '../header/session-facts.js';
import type { WireRecord } from '../model/view.js';
import { requestText } from './request-text.js';
import { Resend } from './resend.js';
import { TraceEntries } from './trace-entries.js';

/** A session's live wire: every frame in both directions, and requests that can be edited and sent again. */
export function InspectorTab({ session, wire }: { session: SessionSummary; wire: readonly WireRecord[] }) {
  const log = useLog(wire);
  const [request, setRequest] = useState<string>();
  const canSend = useCanAsk(session);
  return (
    <>
      <RecordingView
        log={log}
        title="Protocol"
        beside={
          canSend && (
            <button type="button" onClick={() => setRequest(requestText(undefined))}>
              Send a request
            </button>
          )
        }
        onResend={canSend ? (row) => setRequest(requestText(frameOf(row))) : undefined}
      />
      {request !== undefined && (
        <Resend session={session.id} initial={request} onClose={() => setRequest(undefined)} />
      )}
    </>
  );
}

/** A log that adds new entries; entries deleted elsewhere simply stay. */
function useLog(wire: readonly WireRecord[]): WireLog {
  const [log] = useState(() => new WireLog({ limit: 50_000, fromStart: wire[0]?.event.kind === 'header' }));
  const [entries] = useState(() => new TraceEntries());
  const last = useRef(0);
  useEffect(() => {
    const fresh = wire.filter(({ n }) => n > last.current);
    last.current = fresh.at(-1)?.n ?? last.current;
    log.append(entries.take(fresh));
  }, [log, entries, wire]);
  return log;
}
