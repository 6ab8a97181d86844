import { Command, Option } from 'commander';
import { findCli } from '../../host/cli/program/find-cli.js';
import type { Surprise } from '../../lab/conformance/expected.js';
import type { RequirementId } from '../../lab/conformance/requirements/requirements.js';
import type { ProbeReport, Progress } from '../../lab/conformance/run.js';
import type { Verdict } from '../../lab/conformance/verdict.js';
import { OptionError } from '../../wire/util/option-checks.js';
import { plainLine } from '../../wire/util/plain.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_CHECK_FAILED, EXIT_OK } from '../exit-codes.js';
import { type Look, lookFor, type Paint } from '../terminal/look.js';
import { Screen } from '../terminal/screen.js';

interface ProbeFlags {
  readonly cli?: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly only?: readonly string[];
}

/** `coxswain probe`: finds out offline how a CLI handles the control protocol. */
export function probeCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('probe')
    .option('--cli <path>', 'the CLI to probe (default: the one that sessions use)')
    .option('--only <ids...>', 'requirements to test: `hook:ask`, or a subject such as `hook`')
    .addOption(new Option('--json', 'print the verdicts as JSON').conflicts('markdown'))
    .option('--markdown', 'print the verdicts as Markdown')
    .addHelpText('after', HELP)
    .action(async (flags: ProbeFlags) => {
      setExitCode(await probe(flags, context));
    });
}

const HELP = `
The CLI is started many times with an empty home, a fake key and a scripted model on 127.0.0.1. This takes one to two
minutes. One verdict per requirement goes to stdout, progress to stderr.

Verdicts: pass, fail (it behaves differently), unsupported (it says so or lacks it), silent (it never answers), not-reachable
(it cannot be tested offline). Exit codes: 0, 10 a verdict differs from the ledger's entry for exactly this version, 7 no usable
CLI, 130 Ctrl-C. A version newer than the ledger is compared with the newest one in it, which does not change the exit code.`;

async function probe(flags: ProbeFlags, context: CommandContext): Promise<number> {
  const only = flags.only === undefined ? undefined : await chosen(flags.only);
  const search = findCli({ cli: flags.cli, cwd: context.cwd });
  if (search.error !== undefined) throw search.error;
  const controller = new AbortController();
  const stopListening = context.onSignal((signal) => controller.abort(signal));
  try {
    const report = await run(search.found.path, { only, signal: controller.signal, context });
    context.writeOut(await printed(report, flags, context));
    const { surprises } = await import('../../lab/conformance/expected.js');
    return surprises(report).some(({ certain }) => certain) ? EXIT_CHECK_FAILED : EXIT_OK;
  } catch (error) {
    if (!controller.signal.aborted) throw error;
    return controller.signal.reason === 'SIGTERM' ? 143 : 130;
  } finally {
    stopListening();
  }
}

interface Wishes {
  readonly only: ReadonlySet<RequirementId> | undefined;
  readonly signal: AbortSignal;
  readonly context: CommandContext;
}

async function run(path: string, { only, signal, context }: Wishes): Promise<ProbeReport> {
  const { env, platform, errIsTty } = context;
  // The probes load the schemas, which other commands should not wait for.
  const [{ runProbes }, { realSubject }] = await Promise.all([
    import('../../lab/conformance/run.js'),
    import('../../lab/conformance/subjects/real.js'),
  ]);
  const screen = new Screen({ ...context, look: lookFor({ isTty: errIsTty, env, platform }) });
  const show = ({ judged, total, group }: Progress) => {
    const text = `${judged}/${total} ${group}`;
    if (screen.live) screen.status(text);
    else screen.note(text);
  };
  try {
    return await runProbes(realSubject(path), { only, signal, onProgress: show });
  } finally {
    screen.status('');
  }
}

async function printed(report: ProbeReport, flags: ProbeFlags, context: CommandContext): Promise<string> {
  const { outIsTty: isTty, env, platform } = context;
  if (flags.json === true) return `${(await import('../../lab/conformance/report.js')).jsonReport(report)}\n`;
  if (flags.markdown === true)
    return (await import('../../lab/conformance/report.js')).markdownReport(report);
  const { surprises } = await import('../../lab/conformance/expected.js');
  return probeText(report, surprises(report), lookFor({ isTty, env, platform }));
}

/** The requirements that ids or subjects name. */
async function chosen(names: readonly string[]): Promise<ReadonlySet<RequirementId>> {
  const { requirementIds } = await import('../../lab/conformance/requirements/requirements.js');
  return new Set(
    names.flatMap((name) => {
      const found = requirementIds.filter((id) => id === name || id.startsWith(`${name}:`));
      if (found.length > 0) return found;
      throw new OptionError('only', `--only ${name}: there is no such requirement or subject.`);
    }),
  );
}

/** A report for people: a line per requirement, the counts, and the differences from the known verdicts. */
function probeText(report: ProbeReport, surprises: readonly Surprise[], look: Look): string {
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
