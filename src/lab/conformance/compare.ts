import type { ProbeReport } from './run.js';
import { type Shape, shapeDifferences } from './shape.js';
import type { Verdict } from './verdict.js';

/** Recorded results of a real CLI. */
export interface ConformanceRecord {
  readonly version: string;
  readonly verdicts: Readonly<Record<string, Verdict>>;
  readonly shapes: Readonly<Record<string, Shape>>;
}

/** A point where a report differs from a record: a requirement, or a shape with the paths that differ. */
export interface Difference {
  /** The id of a requirement, or `shape: ` with the name of what was recorded. */
  readonly what: string;
  readonly recorded: string;
  readonly found: string;
}

/** Where a report differs from a record; an empty list means nowhere. */
export function compareWithRecord(report: ProbeReport, record: ConformanceRecord): readonly Difference[] {
  const verdicts = report.verdicts.flatMap(({ id, verdict, detail = '' }) => {
    const recorded = record.verdicts[id] ?? 'nothing';
    return recorded === verdict ? [] : [{ what: id, recorded, found: `${verdict} ${detail}`.trim() }];
  });
  const names = [...new Set([...Object.keys(record.shapes), ...Object.keys(report.shapes)])].toSorted();
  return [...verdicts, ...names.flatMap((name) => shapeDifference(name, report, record))];
}

function shapeDifference(
  name: string,
  { shapes: found }: ProbeReport,
  { shapes: recorded }: ConformanceRecord,
): readonly Difference[] {
  const [before, now] = [recorded[name], found[name]];
  const what = `shape: ${name}`;
  if (before === undefined || now === undefined) {
    return [
      {
        what,
        recorded: before === undefined ? 'nothing' : 'a shape',
        found: now === undefined ? 'nothing' : 'a shape',
      },
    ];
  }
  const paths = shapeDifferences(before, now);
  return paths.length === 0 ? [] : [{ what, recorded: 'another shape', found: paths.join(', ') }];
}
