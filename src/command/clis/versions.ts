import { Command } from 'commander';
import { isExactAt } from '../../host/cli/ledger/facts.js';
import { type Ledger, readLedger } from '../../host/cli/ledger/ledger.js';
import { findCli } from '../../host/cli/program/find-cli.js';
import {
  type Capability,
  capabilities,
  findCapabilities,
  holdsAt,
  rangesOf,
  rangesText,
} from '../../lab/conformance/capabilities.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { OptionError } from '../../wire/util/option-checks.js';
import { compareVersions } from '../../wire/util/versions.js';
import { cliVersion } from '../cli-version.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_CHECK_FAILED, EXIT_OK } from '../exit-codes.js';
import { type Look, lookFor } from '../terminal/look.js';

interface VersionsFlags {
  readonly cli?: string;
  readonly has?: readonly string[];
  readonly json?: boolean;
}

/** `coxswain versions`: which Claude CLI can do what. */
export function versionsCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('versions')
    .option('--has <capability...>', 'show only these capabilities: a name, words, or a fact id')
    .option('--cli <path>', 'show what this CLI supports')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (flags: VersionsFlags) => {
      setExitCode(await versions(flags, context));
    });
}

const HELP = `
With --cli, the CLI is started with --version if its files do not show the version. For a version that is not known yet, what the last
known one before it has is shown, and said so; "?" marks what changed somewhere around the version. Exit codes: 0, 10 if the CLI lacks
something that --has asks for, 7 no such CLI.`;

async function versions(flags: VersionsFlags, context: CommandContext): Promise<number> {
  const ledger = readLedger();
  const wanted = flags.has === undefined ? capabilities : flags.has.flatMap((text) => chosen(ledger, text));
  const version = flags.cli === undefined ? undefined : await versionOf(flags.cli, context);
  const rows = wanted.map((each) => rowOf(ledger, each, version));
  const assumedFrom = version === undefined ? undefined : assumedVersion(ledger, version);
  const { outIsTty: isTty, env, platform } = context;
  const text = flags.json
    ? JSON.stringify({ schema: 1, version, assumedFrom, capabilities: rows }, null, 2)
    : [...headOf(version, assumedFrom), rowsText(rows, lookFor({ isTty, env, platform }))].join('\n');
  context.writeOut(`${text}\n`);
  const lacks = flags.has !== undefined && rows.some(({ has }) => has === false);
  return lacks ? EXIT_CHECK_FAILED : EXIT_OK;
}

function chosen(ledger: Ledger, text: string): readonly Capability[] {
  const found = findCapabilities(ledger, text);
  if (found.length > 0) return found;
  throw new OptionError(
    'has',
    `--has ${text}: no capability or fact has this name or these words. npx coxswain versions lists the common ones.`,
  );
}

async function versionOf(cli: string, { cwd }: CommandContext): Promise<string> {
  const search = findCli({ cli, cwd });
  if (search.error !== undefined) throw search.error;
  const { path } = search.found;
  const version = await cliVersion(path);
  if (version !== undefined) return version;
  throw new CoxswainError(
    'CLI_NOT_FOUND',
    `${path} does not report its version, so nothing is known about it.`,
  );
}

/** The version whose facts are shown because nothing is known about the requested one; undefined if it is known. */
function assumedVersion({ published }: Ledger, version: string): string | undefined {
  if (published.includes(version)) return undefined;
  return published.findLast((known) => compareVersions(known, version) < 0);
}

function headOf(version: string | undefined, assumedFrom: string | undefined): readonly string[] {
  if (version === undefined) return [];
  const note = `Nothing is known about this version. Shown is ${assumedFrom}, the last known one before it.`;
  return [`Claude CLI ${version}`, ...(assumedFrom === undefined ? [] : [note]), ''];
}

interface Row extends Capability {
  readonly ranges: ReturnType<typeof rangesOf>;
  /** Whether the requested CLI has it. */
  readonly has?: boolean;
  /** False if it changes somewhere around the requested CLI. */
  readonly certain?: boolean;
}

function rowOf(ledger: Ledger, capability: Capability, version: string | undefined): Row {
  const ranges = rangesOf(ledger, capability.fact);
  const has = version === undefined ? undefined : holdsAt(ledger, capability.fact, version);
  if (version === undefined || has === undefined) return { ...capability, ranges };
  return { ...capability, ranges, has, certain: isExactAt(ledger, capability.fact, version) };
}

function rowsText(rows: readonly Row[], look: Look): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, words, ranges, has, certain }) => {
    const mark = certain === false ? '? ' : '  ';
    const sign = has === undefined ? '' : `${has ? look.green('yes') : look.red('no ')}${mark}`;
    const about = words === name ? '' : `  ${look.dim(words)}`;
    return `${sign}${look.bold(name.padEnd(width))}  ${rangesText(ranges)}${about}`;
  });
  return lines.join('\n');
}
