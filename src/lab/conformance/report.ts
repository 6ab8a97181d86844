import { surprises } from './expected.js';
import { requirements } from './requirements/requirements.js';
import type { ProbeReport } from './run.js';
import { verdicts as allVerdicts } from './verdict.js';

/** A report as a page: the counts, unexpected verdicts, and one row per requirement. */
export function markdownReport(report: ProbeReport): string {
  const { cli, version, verdicts } = report;
  const rows = verdicts.map(({ id, verdict, detail = '' }) => [
    `\`${id}\``,
    requirements[id].behaviour,
    verdict,
    detail,
  ]);
  return `${[
    `# ${cli}`,
    `Version: ${version ?? 'it does not tell'}. ${countsOf(report)}.`,
    unexpected(report),
    table(['requirement', 'behaviour', 'verdict', 'detail'], rows),
  ].join('\n\n')}\n`;
}

/** How often each verdict was given, in words. */
export function countsOf({ verdicts }: ProbeReport): string {
  return allVerdicts
    .map((verdict) => ({ verdict, count: verdicts.filter((each) => each.verdict === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${verdict}`)
    .join(', ');
}

function unexpected(report: ProbeReport): string {
  const { version } = report;
  if (version === null) return 'Without a version there is nothing to compare it with.';
  const found = surprises(report);
  if (found.length === 0) return `All verdicts match the known ones of ${version}.`;
  const rows = found.map(({ id, verdict, expected }) => [`\`${id}\``, expected, verdict]);
  return `Other than known of ${version}:\n\n${table(['requirement', 'known', 'now'], rows)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** A report as JSON, for programs. */
export function jsonReport({ cli, version, verdicts }: ProbeReport): string {
  return JSON.stringify({ schema: 1, cli, version, verdicts }, null, 2);
}
