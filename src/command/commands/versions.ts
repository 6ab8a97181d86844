import { Command } from 'commander';
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
import { cliVersion } from '../cli-version.js';
import { EXIT_CHECK_FAILED, EXIT_OK } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { type Look, lookFor } from '../terminal/look.js';

interface VersionsFlags {
  readonly cli?: string;
  readonly has?: readonly string[];
  readonly json?: boolean;
}

/** `coxswain versions`: which Claude CLI can do what. */
export function versionsCommand(surroundings: Surroundings, setExitCode: (code: number) => void): Command {
  return new Command('versions')
    .option('--has <capability...>', 'show only these capabilities: a name, words, or a fact id')
    .option('--cli <path>', 'show what this CLI supports')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (flags: VersionsFlags) => {
      setExitCode(await versions(flags, surroundings));
    });
}

const HELP = `
With --cli, the CLI is started with --version if its files do not show the version. Exit codes: 0, 10 if the CLI lacks something
that --has asks for, 7 no such CLI.`;

async function versions(flags: VersionsFlags, surroundings: Surroundings): Promise<number> {
  const ledger = readLedger();
  const wanted = flags.has === undefined ? capabilities : flags.has.flatMap((text) => chosen(ledger, text));
  const version = flags.cli === undefined ? undefined : await versionOf(flags.cli, surroundings);
  const rows = wanted.map((each) => rowOf(ledger, each, version));
  const { outIsTty: isTty, env, platform } = surroundings;
  const text = flags.json
    ? JSON.stringify({ schema: 1, version, capabilities: rows }, null, 2)
    : rowsText(rows, version, lookFor({ isTty, env, platform }));
  surroundings.writeOut(`${text}\n`);
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

async function versionOf(cli: string, { cwd }: Surroundings): Promise<string> {
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

interface Row extends Capability {
  readonly ranges: ReturnType<typeof rangesOf>;
  /** Whether the requested CLI has it. */
  readonly has?: boolean;
}

function rowOf(ledger: Ledger, capability: Capability, version: string | undefined): Row {
  const ranges = rangesOf(ledger, capability.fact);
  const has = version === undefined ? undefined : holdsAt(ledger, capability.fact, version);
  return { ...capability, ranges, ...(has === undefined ? {} : { has }) };
}

function rowsText(rows: readonly Row[], version: string | undefined, look: Look): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, words, ranges, has }) => {
    const sign = has === undefined ? '' : `${has ? look.green('yes') : look.red('no ')}  `;
    const about = words === name ? '' : `  ${look.dim(words)}`;
    return `${sign}${look.bold(name.padEnd(width))}  ${rangesText(ranges)}${about}`;
  });
  return [...(version === undefined ? [] : [`Claude CLI ${version}`, '']), ...lines].join('\n');
}
