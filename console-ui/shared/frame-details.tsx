import { CopyButton } from './copy-button.js';
import { JsonTree } from './json-tree.js';
import { type Exchange, partnerOf } from './model/exchanges.js';
import { joinedText, type ListItem } from './model/row-list.js';
import { clockText, latencyText } from './model/time-axis.js';
import type { WireSnapshot } from './model/wire-log.js';
import { frameOf, rowText, type WireRow } from './model/wire-row.js';

/** The props of {@link FrameDetails}. */
export interface FrameDetailsProps {
  readonly item: ListItem | undefined;
  readonly wire: WireSnapshot;
  readonly onSelect: (row: WireRow) => void;
  readonly onFilter: (filter: string) => void;
  /** Offered for the host's control requests, if sending is possible at all. */
  readonly onResend?: ((row: WireRow) => void) | undefined;
}

/** One frame in full, with its matching request or answer. */
export function FrameDetails({ item, wire, onSelect, onFilter, onResend }: FrameDetailsProps) {
  if (item === undefined) {
    return <p className="wire-empty">Choose a frame to see it in full.</p>;
  }
  const { row } = item;
  const exchange = wire.exchanges.get(row.index);
  const partner = partnerOf(row, exchange);
  return (
    <article className="wire-details" aria-label={`Line ${row.at}, ${row.label}`}>
      <h2>{row.label}</h2>
      <p className="wire-facts">
        line {row.at} · {clockText(row.t)} · {senderText(row)}
        {row.requestId !== undefined && (
          <>
            {' · '}
            <code>{row.requestId}</code>
          </>
        )}
      </p>
      {exchange !== undefined && <p className="wire-facts">{exchangeText(exchange)}</p>}
      {wire.findingsAt.get(row.at)?.map(({ severity, message, problem }) => (
        <p key={`${problem} ${message}`} className="wire-finding" data-severity={severity}>
          <strong>{severity}</strong> {message}
        </p>
      ))}
      <Actions row={row} partner={partner} onSelect={onSelect} onFilter={onFilter} onResend={onResend} />
      {item.count > 1 && <Joined text={joinedText(wire.rows, item)} count={item.count} />}
      <FrameBody row={row} />
      {partner !== undefined && (
        <Partner row={row} partner={partner} exchange={exchange} onSelect={onSelect} />
      )}
    </article>
  );
}

interface ActionsProps extends Omit<FrameDetailsProps, 'item' | 'wire'> {
  readonly row: WireRow;
  readonly partner: WireRow | undefined;
}

function Actions({ row, partner, onSelect, onFilter, onResend }: ActionsProps) {
  return (
    <div className="wire-actions">
      <CopyButton text={() => prettyText(row)} label="Copy JSON" />
      <CopyButton text={() => rowText(row)} label="Copy line" />
      {partner !== undefined && (
        <button type="button" onClick={() => onSelect(partner)}>
          Go to {partner.type === 'control_request' ? 'question' : 'answer'}
        </button>
      )}
      {row.requestId !== undefined && (
        <button type="button" onClick={() => onFilter(`id:${row.requestId}`)}>
          Only this request
        </button>
      )}
      <button type="button" onClick={() => onFilter(likeThis(row))}>
        Only such frames
      </button>
      {onResend !== undefined && row.from === 'host' && row.type === 'control_request' && (
        <button type="button" onClick={() => onResend(row)}>
          Edit and send again
        </button>
      )}
    </div>
  );
}

function Joined({ text, count }: { readonly text: string; readonly count: number }) {
  return (
    <section>
      <h3>{count} pieces, joined</h3>
      <pre className="wire-joined" tabIndex={0}>
        {text}
      </pre>
      <h3>The first piece</h3>
    </section>
  );
}

function FrameBody({ row }: { readonly row: WireRow }) {
  const frame = frameOf(row);
  if (frame !== undefined) return <JsonTree key={row.at} value={frame} />;
  if (row.entry.kind === 'line' || row.entry.kind === 'broken') {
    return <pre className="wire-noise">{rowText(row)}</pre>;
  }
  return <JsonTree key={row.at} value={row.entry} />;
}

interface PartnerProps {
  readonly row: WireRow;
  readonly partner: WireRow;
  readonly exchange: Exchange | undefined;
  readonly onSelect: (row: WireRow) => void;
}

function Partner({ row, partner, exchange, onSelect }: PartnerProps) {
  const isAnswer = exchange?.question?.index === row.index;
  return (
    <section className="wire-partner">
      <h3>
        {isAnswer ? 'Its answer' : 'Its question'}
        {exchange?.ms !== undefined && ` ${latencyText(exchange.ms)} ${isAnswer ? 'later' : 'before'}`}
        {', '}
        <button type="button" className="wire-link" onClick={() => onSelect(partner)}>
          line {partner.at}
        </button>
      </h3>
      <FrameBody row={partner} />
    </section>
  );
}

function senderText({ from }: WireRow): string {
  if (from === undefined) return 'a note from the recorder';
  return from === 'host' ? 'from the host to the CLI' : 'from the CLI to the host';
}

function exchangeText({ asker, how, ms, question }: Exchange): string {
  const who = asker === 'host' ? 'The host' : 'The CLI';
  if (question === undefined) return `${who} sent the request before what is shown here.`;
  if (how === 'open') return `${who} sent this request; there is no answer yet.`;
  const took = ms === undefined ? '' : ` after ${latencyText(ms)}`;
  return `${who} sent this request; ${WORDS[how]}${took}.`;
}

const WORDS = { success: 'answered', refusal: 'refused', cancelled: 'withdrawn' } as const;

function prettyText(row: WireRow): string {
  const frame = frameOf(row);
  return frame === undefined ? rowText(row) : JSON.stringify(frame, undefined, 2);
}

function likeThis({ type, subtype, entry }: WireRow): string {
  if (entry.kind !== 'line') return 'is:note';
  return subtype === undefined ? `type:${type}` : `type:${type} subtype:${subtype}`;
}
