import type { Surprise } from '../../lab/conformance/expected.js';
import type { ProbeReport } from '../../lab/conformance/run.js';
import type { Verdict } from '../../lab/conformance/verdict.js';
import { plainLine } from '../../wire/util/plain.js';
import type { Look, Paint } from '../terminal/look.js';

/** A report for people: a line per requirement, the counts, and the differences from the known verdicts. */
export function probeText(report: ProbeReport, surprises: readonly Surprise[], look: Look): string {
  const { cli, version, verdicts } = report;
  const lines = [
    `${look.bold(cli)}, ${version === null ? 'of unknown version' : `version ${version}`}`,
    '',
    ...verdicts.map(({ id, verdict, detail }) => verdictLine(id, verdict, detail, look)),
    '',
    counts(verdicts.map(({ verdict }) => verdict)),
    ...surpriseLines(surprises, look),
  ];
  return `${lines.join('\n')}\n`;
}

function verdictLine(id: string, verdict: Verdict, detail: string | undefined, look: Look): string {
  const why = detail === undefined ? '' : `  ${look.dim(plainLine(detail))}`;
  return `${paintOf(verdict, look)(verdict.padEnd(13))} ${id}${why}`;
}

function paintOf(verdict: Verdict, { green, red, yellow, dim }: Look): Paint {
  if (verdict === 'pass') return green;
  if (verdict === 'fail') return red;
  return verdict === 'not-reachable' ? dim : yellow;
}

function counts(verdicts: readonly Verdict[]): string {
  const kinds = [...new Set(verdicts)];
  return kinds.map((kind) => `${verdicts.filter((each) => each === kind).length} ${kind}`).join(', ');
}

function surpriseLines(surprises: readonly Surprise[], { red, yellow }: Look): readonly string[] {
  if (surprises.length === 0) return [];
  return [
    '',
    'Differs from the ledger for this version:',
    ...surprises.map(({ id, verdict, expected, certain }) =>
      (certain ? red : yellow)(
        `  ${id}: ${expected} is known, now ${verdict}${certain ? '' : ' (not certain)'}`,
      ),
    ),
  ];
}
