import { CoxswainError } from '../../../../wire/util/errors.js';

/** A difference from the scenario. */
export interface ScenarioFailure {
  /** The place in the scenario, or what arrived. */
  readonly step: string;
  /** What was expected. */
  readonly expected: string;
  /** What arrived. */
  readonly got: string;
}

/** The error of a scenario that failed, with its table in the message and as data. */
export class ScenarioError extends CoxswainError {
  /** The differences from the scenario. */
  readonly failures: readonly ScenarioFailure[];

  constructor(failures: readonly ScenarioFailure[]) {
    const count = failures.length === 1 ? 'one thing' : `${failures.length} things`;
    super('EMULATOR_SCENARIO_FAILED', `In the emulated CLI ${count} went wrong:\n${table(failures)}`);
    this.failures = failures;
  }
}

/** The failures as aligned columns. */
export function table(failures: readonly ScenarioFailure[]): string {
  const rows = [
    ['step', 'expected', 'got'],
    ...failures.map(({ step, expected, got }) => [step, expected, got].map(shortened)),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => `  ${line}`).join('\n');
}

/** How much of a cell is shown. */
const MAX_CELL = 160;

function shortened(cell: string): string {
  const line = cell.replaceAll('\n', '\\n');
  return line.length <= MAX_CELL ? line : `${line.slice(0, MAX_CELL)}…`;
}
