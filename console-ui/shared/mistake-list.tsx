import type { Finding } from '../../src/wire/trace/analysis/mistakes.js';
import { rowAt } from './model/next-row.js';
import type { WireSnapshot } from './model/wire-log.js';
import type { WireRow } from './model/wire-row.js';

/** The maximum number listed at once. */
const MOST = 500;

/** Protocol violations, and names that are new to the catalog. */
export function MistakeList({
  wire,
  onSelect,
}: {
  readonly wire: WireSnapshot;
  readonly onSelect: (row: WireRow) => void;
}) {
  const { findings } = wire;
  if (findings.length === 0) return <p className="wire-empty">No mistakes found.</p>;
  const sorted = findings.toSorted((one, two) => rank(one) - rank(two) || one.at - two.at);
  return (
    <div>
      <ol className="wire-mistakes">
        {sorted.slice(0, MOST).map((finding) => {
          const { at, severity, problem, label, message } = finding;
          const row = rowAt(wire, at);
          return (
            <li key={`${at} ${problem} ${message}`} className="wire-finding" data-severity={severity}>
              <strong>{severity}</strong>{' '}
              {row === undefined ? (
                <>line {at}</>
              ) : (
                <button type="button" className="wire-link" onClick={() => onSelect(row)}>
                  line {at}
                </button>
              )}{' '}
              <b>{label}</b>
              <div>{message}</div>
            </li>
          );
        })}
      </ol>
      {findings.length > MOST && <p className="wire-empty">{findings.length - MOST} more are not listed.</p>}
    </div>
  );
}

function rank({ severity }: Finding): number {
  return severity === 'error' ? 0 : 1;
}
