import { useEffect, useRef, useState } from 'react';
import type { SessionSummary } from '../../../src/remote/contract.js';
import { FilterBar } from '../../shared/filter-bar.js';
import { FrameDetails } from '../../shared/frame-details.js';
import { FrameList, type FrameListHandle } from '../../shared/frame-list.js';
import { WireLog } from '../../shared/model/wire-log.js';
import { frameOf, type WireRow } from '../../shared/model/wire-row.js';
import { useRows, useWire } from '../../shared/use-wire.js';
import { isConnected } from '../header/session-facts.js';
import type { WireRecord } from '../model/view.js';
import { Resend, requestText } from './resend.js';
import { traceEntries } from './trace-entries.js';

/** The live wire of a session: every frame of both directions, and requests that can be changed and sent again. */
export function InspectorTab({ session, wire }: { session: SessionSummary; wire: readonly WireRecord[] }) {
  const log = useLog(wire);
  const [filter, setFilter] = useState('');
  const [fold, setFold] = useState(true);
  const [selected, setSelected] = useState<number>();
  const [request, setRequest] = useState<string>();
  const list = useRef<FrameListHandle>(null);
  const snapshot = useWire(log);
  const { items, problems } = useRows(log, filter, fold);
  const item = items.find(
    ({ row, last }) => selected !== undefined && row.at <= selected && selected <= last.at,
  );
  const select = (row: WireRow) => setSelected(row.at);
  const canSend = isConnected(session);
  return (
    <div className="inspector">
      <div className="inspector-head">
        <FilterBar
          filter={filter}
          onFilter={setFilter}
          fold={fold}
          onFold={setFold}
          problems={problems}
          shown={items.length}
          of={snapshot.rows.length}
          onLeave={() => list.current?.focus()}
        />
        {canSend && (
          <button type="button" className="small" onClick={() => setRequest(requestText(undefined))}>
            Send a request
          </button>
        )}
      </div>
      <FrameList
        items={items}
        wire={snapshot}
        selected={selected}
        onSelect={select}
        onOpen={select}
        handle={list}
      />
      <FrameDetails
        item={item}
        wire={snapshot}
        onSelect={select}
        onFilter={setFilter}
        onResend={canSend ? (row) => setRequest(requestText(frameOf(row))) : undefined}
      />
      {request !== undefined && (
        <Resend session={session.id} initial={request} onClose={() => setRequest(undefined)} />
      )}
    </div>
  );
}

/** A log that takes in what is new; where older entries went, it simply keeps them. */
function useLog(wire: readonly WireRecord[]): WireLog {
  const [log] = useState(() => new WireLog({ limit: 50_000, fromStart: wire[0]?.event.kind === 'header' }));
  const last = useRef(0);
  useEffect(() => {
    const fresh = wire.filter(({ n }) => n > last.current);
    last.current = fresh.at(-1)?.n ?? last.current;
    log.append(traceEntries(fresh));
  }, [log, wire]);
  return log;
}
