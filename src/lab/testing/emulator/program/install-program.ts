import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execScript, shellQuoted, writeProgram } from '../../../../wire/files/node-program.js';
import { builtFile } from '../../../../wire/package/built-file.js';
import { newestVersion, traitsOf } from '../versions/traits.js';
import { loadScenario } from './scenario-file.js';

/** The options of an installed program. */
export interface InstallOptions {
  /** The CLI to play. Default: the newest that was probed. */
  readonly version?: string | undefined;
  /** A scenario in JSON or a module; read at each start. Default: a short conversation. */
  readonly scenario?: string | undefined;
  /** A file for the differences from the scenario. */
  readonly report?: string | undefined;
  /** The system. Default: this one. */
  readonly platform?: string | undefined;
}

/**
 * Writes a program that emulates a CLI in any environment, and returns its path. On Windows that is a
 * module, `<path>.mjs`, with a `.cmd` next to it for PATH. Elsewhere it prints its version without starting Node.
 * @throws CoxswainError `OPTION_INVALID` for a version that cannot be emulated, or a scenario that does not load.
 */
export async function installEmulator(path: string, options: InstallOptions = {}): Promise<string> {
  const { version = newestVersion(), scenario, report, platform = process.platform } = options;
  traitsOf(version);
  if (scenario !== undefined) await loadScenario(scenario, process.cwd());
  const variables = Object.entries({
    COXSWAIN_PERSONALITY: version,
    COXSWAIN_SCENARIO: scenario === undefined ? undefined : resolve(scenario),
    COXSWAIN_REPORT: report === undefined ? undefined : resolve(report),
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const main = builtFile('emulator/main.js');
  return writeProgram(
    resolve(path),
    { shell: shell(version, variables, main), module: moduleText(variables, main) },
    platform,
  );
}

type Variables = readonly (readonly [name: string, value: string])[];

function shell(version: string, variables: Variables, main: string): string {
  return execScript(
    [process.execPath, main],
    [
      `case "$#$1" in 1-v|1--version) echo '${version} (Claude Code)'; exit 0;; esac`,
      ...variables.map(([name, value]) => `export ${name}=${shellQuoted(value)}`),
    ],
  );
}

function moduleText(variables: Variables, main: string): string {
  return [
    '#!/usr/bin/env node',
    `Object.assign(process.env, ${JSON.stringify(Object.fromEntries(variables))});`,
    `await import(${JSON.stringify(pathToFileURL(main).href)});`,
    '',
  ].join('\n');
}
