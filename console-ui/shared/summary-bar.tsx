import type { ReactNode } from 'react';
import { count, counted, duration, estimatedDollars } from '../../src/wire/util/numbers.js';
import { allTokens, sumTokens } from './model/totals.js';
import type { WireSnapshot } from './model/wire-log.js';
import { endText } from './model/wire-row.js';

/** The props of a {@link SummaryBar}. */
export interface SummaryBarProps {
  readonly title: string;
  readonly wire: WireSnapshot;
  /** Shown next to the title, such as whether it is live. */
  readonly children?: ReactNode;
}

/** A summary of a session, on one line. */
export function SummaryBar({ title, wire, children }: SummaryBarProps) {
  const { rows, turns, cliVersion, end, header, dropped } = wire;
  const tokens = allTokens(sumTokens(turns));
  const lines = rows.filter(({ entry }) => entry.kind === 'line').length;
  return (
    <header className="wire-header">
      <h1>{title}</h1>
      {children}
      <ul className="wire-chipline">
        {cliVersion !== undefined && <li>CLI {cliVersion}</li>}
        <li>{lines.toLocaleString('en')} lines</li>
        <li>{duration(wire.duration)}</li>
        <li>{counted(turns.length, 'turn')}</li>
        {tokens > 0 && <li>{count(tokens)} tokens</li>}
        {turns.length > 0 && <li>{estimatedDollars(turns.at(-1)?.totalUsd ?? 0)}</li>}
        {end !== undefined && <li data-bad={isBadEnd(end)}>{endText(end)}</li>}
        {header?.redacted === false && <li data-bad="true">secrets not removed</li>}
        {dropped > 0 && <li>{dropped.toLocaleString('en')} earlier lines not held</li>}
      </ul>
    </header>
  );
}

function isBadEnd(end: NonNullable<WireSnapshot['end']>): boolean {
  return end.reason === 'failed' || (end.reason === 'exited' && end.code !== 0);
}
