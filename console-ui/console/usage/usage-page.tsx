import { useMemo, useState } from 'react';
import type { SessionSummary, TokenCounts } from '../../../src/entry/remote/contract.js';
import { count, counted, estimatedDollars } from '../../../src/wire/util/numbers.js';
import { useConsole } from '../store/context.js';
import { routeTo } from '../store/route.js';
import { Announcer } from '../ui/announcer.js';
import { folderName } from '../ui/names.js';
import { DayChart } from './day-chart.js';
import { byDay, foldersOf, lastDays } from './usage-days.js';
import { useUsage } from './use-usage.js';

/** How many folders have their own colour. */
const NAMED = 5;

/** The usage of all conversations, by day and folder, including those in terminals. */
export function UsagePage() {
  const [days, setDays] = useState(30);
  const { rows, isOver, problem } = useUsage(days);
  const sessions = useConsole((state) => state.sessions);
  const folders = useMemo(() => foldersOf(rows), [rows]);
  const all = useMemo(() => byDay(rows, lastDays(days, new Date())), [rows, days]);
  const costs = useMemo(() => costsOf([...sessions.values()]), [sessions]);
  const named = folders.slice(0, NAMED).map(({ cwd }) => cwd);
  return (
    <main className="panel usage-page" tabIndex={-1}>
      <header className="panel-head">
        <a className="back" href={routeTo(undefined)} aria-label="All sessions">
          ‹
        </a>
        <h1>Usage</h1>
        <label>
          <span className="hidden">Days</span>
          <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {[7, 30, 90].map((each) => (
              <option key={each} value={each}>
                {each} days
              </option>
            ))}
          </select>
        </label>
      </header>
      <p className="faint" role="status">
        {isOver ? counted(folders.length, 'folder') : 'Reading conversations on disk…'}
      </p>
      {problem !== undefined && <p className="problem">{problem}</p>}
      {rows.length > 0 && <DayChart days={all} named={named} />}
      {isOver && rows.length === 0 && <p>No usage in this period.</p>}
      {rows.length > 0 && (
        <>
          <UsageTable
            title="By folder"
            first="Folder"
            rows={folders.map(({ cwd, tokens }, index) => ({
              name: cwd,
              short: folderName(cwd),
              part: Math.min(index, NAMED),
              tokens,
              cost: costs.get(cwd),
            }))}
          />
          <UsageTable
            title="By day"
            first="Day"
            rows={all
              .filter(({ folders: some }) => some.length > 0)
              .toReversed()
              .map(({ day, tokens }) => ({ name: day, short: day, tokens }))}
          />
        </>
      )}
      <Announcer view={undefined} />
    </main>
  );
}

interface TableRow {
  readonly name: string;
  readonly short: string;
  readonly tokens: TokenCounts;
  /** The colour in the chart. */
  readonly part?: number;
  readonly cost?: number | undefined;
}

function UsageTable({ title, first, rows }: { title: string; first: string; rows: readonly TableRow[] }) {
  const hasCosts = rows.some(({ cost }) => cost !== undefined);
  return (
    <section className="table-scroll" aria-label={title}>
      <table className="usage-table">
        <caption>{title}</caption>
        <thead>
          <tr>
            {[first, 'Input', 'Cache', 'Output', ...(hasCosts ? ['Cost of sessions here'] : [])].map(
              (name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, short, tokens, part, cost }) => (
            <tr key={name}>
              <th scope="row" title={name} data-part={part}>
                {short}
              </th>
              <td>{count(tokens.input)}</td>
              <td>{count(tokens.cacheRead + tokens.cacheCreation)}</td>
              <td>{count(tokens.output)}</td>
              {hasCosts && <td>{cost === undefined ? '' : estimatedDollars(cost)}</td>}
            </tr>
          ))}
        </tbody>
        {rows.length > 1 && <Total rows={rows} hasCosts={hasCosts} />}
      </table>
    </section>
  );
}

function Total({ rows, hasCosts }: { rows: readonly TableRow[]; hasCosts: boolean }) {
  const sum = (of: (row: TableRow) => number) => rows.reduce((all, row) => all + of(row), 0);
  return (
    <tfoot>
      <tr>
        <th scope="row">Total</th>
        <td>{count(sum(({ tokens }) => tokens.input))}</td>
        <td>{count(sum(({ tokens }) => tokens.cacheRead + tokens.cacheCreation))}</td>
        <td>{count(sum(({ tokens }) => tokens.output))}</td>
        {hasCosts && <td>{estimatedDollars(sum(({ cost = 0 }) => cost))}</td>}
      </tr>
    </tfoot>
  );
}

/** What this server's sessions have cost, by folder. Conversations on disk do not contain their cost. */
function costsOf(sessions: readonly SessionSummary[]): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const { cwd, costUsd } of sessions) if (costUsd > 0) costs.set(cwd, (costs.get(cwd) ?? 0) + costUsd);
  return costs;
}
