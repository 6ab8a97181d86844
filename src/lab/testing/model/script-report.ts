/** One line of the report of a script. */
export interface ReportRow {
  readonly step: string;
  readonly expected: string;
  readonly got: string;
}

/** Lays rows out as a table of three columns with a head. */
export function reportTable(rows: readonly ReportRow[]): string {
  const all = [{ step: 'step', expected: 'expected', got: 'got' }, ...rows];
  const step = widest(all.map((row) => row.step));
  const expected = widest(all.map((row) => row.expected));
  const lines = all.map((row) => `${row.step.padEnd(step)}  ${row.expected.padEnd(expected)}  ${row.got}`);
  return lines.map((line) => line.trimEnd()).join('\n');
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length));
}
