import { describe, test } from 'vitest';
import { type KnownRealCli, knownRealClis } from '../../../src/lab/testing/real-cli/known-clis.js';

/** The versions that every claim about the wire is tested on. */
export const REAL_CLI_VERSIONS = ['2.0.73', '2.1.17', '2.1.326'] as const;

/** `npm test` tries the oldest and the newest. */
const isTried = (version: string) =>
  process.env.COXSWAIN_TESTS !== 'some' ||
  version === REAL_CLI_VERSIONS[0] ||
  version === REAL_CLI_VERSIONS.at(-1);

/** One of them. */
export type RealCliVersion = (typeof REAL_CLI_VERSIONS)[number];

/** Runs a test once per version; a CLI that is not installed is a skipped test that says why. */
export function eachRealCli(
  name: string,
  body: (cli: KnownRealCli) => Promise<void>,
  versions: readonly RealCliVersion[] = REAL_CLI_VERSIONS,
): void {
  for (const version of versions.filter(isTried)) {
    const cli = findCli(version);
    if (cli === undefined) skipLoudly(`${name} [${version}]`, version);
    else test(`${name} [${version}]`, () => body(cli));
  }
}

/** Runs a group of tests once per version, for tests that share a running CLI. */
export function describeRealClis(
  name: string,
  body: (cli: KnownRealCli) => void,
  versions: readonly RealCliVersion[] = REAL_CLI_VERSIONS,
): void {
  for (const version of versions.filter(isTried)) {
    const cli = findCli(version);
    if (cli === undefined) skipLoudly(`${name} [${version}]`, version);
    else describe(`${name} [${version}]`, () => body(cli));
  }
}

/** Runs a group of tests once per CLI that is installed; without one, it is a skipped test that says why. */
export function describeInstalledClis(
  name: string,
  body: (cli: KnownRealCli) => void,
  { clis = installed, cannot = '' }: { clis?: readonly KnownRealCli[]; cannot?: string } = {},
): void {
  const tried = clis.filter(({ version }) => isTried(version));
  if (cannot !== '') test(name, ({ skip }) => skip(cannot));
  else if (tried.length === 0) skipLoudly(name, 'for it');
  else describe.each(tried)(name, body);
}

const installed = knownRealClis();

function findCli(version: RealCliVersion): KnownRealCli | undefined {
  return installed.find((cli) => cli.version === version);
}

/** The reporter prints the reason for every skipped test, and in CI a skip is a failure. */
function skipLoudly(name: string, version: string): void {
  const reason = `the real CLI ${version} is not installed in test/real-clis (see the npm error above)`;
  test(name, ({ skip }) => skip(reason));
}
