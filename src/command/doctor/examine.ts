import { checkVersion } from '../../host/cli/capabilities.js';
import { readLedger } from '../../host/cli/ledger/ledger.js';
import { type FoundCli, findCli, type LookedAt } from '../../host/cli/program/find-cli.js';
import { readVariable, realSystem, type System } from '../../wire/transport/process/system.js';
import type { Clock } from '../../wire/util/clock.js';
import { errorText } from '../../wire/util/error-text.js';
import type { CoxswainError } from '../../wire/util/errors.js';
import { compareVersions } from '../../wire/util/versions.js';
import { cliVersion } from '../cli-version.js';
import { hintFor } from '../explain-error.js';
import type { CliFacts, Diagnosis, NotStartedFacts, Problem, StartedFacts } from './diagnosis.js';
import { foundHow } from './found-how.js';
import { loginNotes } from './login-notes.js';
import { secretArgumentNotes } from './secret-arguments.js';
import { supportsOf } from './supports.js';
import { type TriedStart, tryStart } from './try-start.js';

/** What the doctor examines. */
export interface ExamineOptions {
  readonly cli: string | undefined;
  readonly cwd: string;
  /** Whether to open and close a session. */
  readonly start: boolean;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** The version of this package. */
  readonly version: string;
  readonly nodeVersion?: string;
  readonly system?: System;
}

/** Checks everything that a session needs. */
export async function examine(options: ExamineOptions): Promise<Diagnosis> {
  const { cli, cwd, version, nodeVersion = process.versions.node, system = realSystem() } = options;
  const search = findCli({ cli, cwd }, system);
  const told = search.found === undefined ? undefined : await toldVersion(search.found.path, system);
  const tried =
    search.found === undefined || !options.start ? undefined : await start(search.found, told, options);
  const facts = search.found === undefined ? undefined : cliFacts(search.found, tried?.version ?? told);
  return {
    coxswain: version,
    node: nodeVersion,
    platform: platformText(system),
    looked: search.looked,
    cli: facts,
    start: tried?.facts,
    supports: facts === undefined ? [] : supportsOf(facts.version),
    problems: [
      ...nodeProblems(nodeVersion),
      ...(search.error === undefined ? [] : [searchProblem(search.error, search.looked)]),
      ...(facts === undefined ? [] : versionProblems(facts)),
      ...(tried === undefined ? [] : startProblems(tried.facts, system)),
    ],
    notes: [
      ...(facts === undefined ? [] : versionNotes(facts)),
      ...environmentNotes(system),
      ...secretArgumentNotes(cwd, system),
      ...loginNotes(system),
    ],
  };
}

function start(
  found: FoundCli,
  version: string | undefined,
  { cwd, timeoutMs, clock, system = realSystem() }: ExamineOptions,
): Promise<TriedStart> {
  return tryStart({ cli: found.path, version, cwd, timeoutMs, clock, env: system.env });
}

function cliFacts({ path, how }: FoundCli, version: string | undefined): CliFacts {
  return { path, how: foundHow(how), version };
}

/** The start reports why it cannot run. */
function toldVersion(path: string, system: System): Promise<string | undefined> {
  return cliVersion(path, system).catch(() => undefined);
}

/** The places that were searched are listed already. */
function searchProblem({ code, message }: CoxswainError, looked: readonly LookedAt[]): Problem {
  const isNamed = looked.some(({ how }) => how === 'option' || how === 'environment');
  return problemOf(code === 'CLI_NOT_FOUND' && !isNamed ? 'No Claude CLI was found.' : message, code);
}

function problemOf(what: string, code: NotStartedFacts['code']): Problem {
  return { what, remedy: hintFor(code) };
}

const OLDEST_NODE = '20.19.0';

function nodeProblems(version: string): readonly Problem[] {
  if (compareVersions(version, OLDEST_NODE) >= 0) return [];
  return [{ what: `Node ${version} is too old.`, remedy: `install Node ${OLDEST_NODE} or newer.` }];
}

function versionProblems({ version }: CliFacts): readonly Problem[] {
  try {
    checkVersion(version);
    return [];
  } catch (error) {
    return [problemOf(errorText(error), 'CLI_TOO_OLD')];
  }
}

function versionNotes({ version }: CliFacts): readonly string[] {
  if (version === undefined)
    return ['The CLI does not report its version, so only features common to all versions are used.'];
  const newest = readLedger().published.at(-1) ?? version;
  if (compareVersions(version, newest) <= 0) return [];
  return [`CLI ${version} is newer than any probed version: it is treated like ${newest}.`];
}

function startProblems(facts: StartedFacts | NotStartedFacts, { env }: System): readonly Problem[] {
  if (!facts.ok) return [problemOf(`The CLI cannot be used: ${facts.message}`, facts.code)];
  const failed = facts.mcpServers.filter(({ status }) => status === 'failed');
  return [
    ...(hasCredentials(facts, env) ? [] : [NO_CREDENTIALS]),
    ...failed.map(({ name, error = 'it did not connect' }) => ({
      what: `The MCP server ${name} failed: ${error}`,
      remedy: 'run its command yourself to see why, or remove it from the settings.',
    })),
  ];
}

const NO_CREDENTIALS: Problem = {
  what: 'The CLI reports neither a login nor an API key, so every turn will fail.',
  remedy:
    'log in with the CLI itself (run claude, or npx claude in your project, then /login), or set ANTHROPIC_API_KEY.',
};

function hasCredentials({ account }: StartedFacts, env: System['env']): boolean {
  const { tokenSource, apiKeySource } = account;
  // A CLI that reports nothing about it is assumed to be fine.
  if (tokenSource !== 'none' || apiKeySource !== undefined) return true;
  const cloud = ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'];
  return cloud.some((name) => env[name] !== undefined && env[name] !== '');
}

/** The system in words. */
function platformText({ platform, arch, files }: System): string {
  if (platform !== 'linux') return `${platform} ${arch}`;
  return `linux ${arch}, ${MUSL_LOADERS.some((path) => files.stat(path) !== undefined) ? 'musl' : 'glibc'}`;
}

const MUSL_LOADERS = ['/lib/ld-musl-x86_64.so.1', '/lib/ld-musl-aarch64.so.1'];

/** Facts about the environment that have an effect but are not errors. Names only, never values. */
function environmentNotes(system: System): readonly string[] {
  const { platform, arch, env, uid } = system;
  const isSet = (name: string) => (readVariable(platform, env, name) ?? '') !== '';
  const named = TELLING_VARIABLES.filter(isSet);
  return [
    ...(platform === 'linux' && arch === 'x64'
      ? []
      : [`${platform} ${arch} is not a tested platform (see docs/help/platforms.md).`]),
    ...(uid === 0 ? ['You are root: the CLI refuses bypassPermissions.'] : []),
    ...(isSet('NODE_OPTIONS') ? ['NODE_OPTIONS is set; it is not passed to the CLI.'] : []),
    ...(named.length === 0 ? [] : [`These variables change what the CLI does: ${named.join(', ')}.`]),
  ];
}

const TELLING_VARIABLES = [
  'CLAUDE_CODE_PATH',
  'CLAUDE_CONFIG_DIR',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_MODEL',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'http_proxy',
  'https_proxy',
];
