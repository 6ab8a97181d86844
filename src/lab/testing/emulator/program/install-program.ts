import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { builtFile } from '../../../../wire/package/built-file.js';
import { newestVersion, traitsOf } from '../versions/traits.js';
import { loadScenario } from './scenario-file.js';

/** What an installed program plays. */
export interface InstallOptions {
  /** The CLI to play. Default: the newest that was probed. */
  readonly version?: string | undefined;
  /** A scenario in JSON or a module; read at each start. Default: a short conversation. */
  readonly scenario?: string | undefined;
  /** A file for what differed from the scenario. */
  readonly report?: string | undefined;
  /** The system. Default: this one. */
  readonly platform?: string | undefined;
}

/**
 * Writes a program that plays a CLI, whatever environment it is started with; gives its path (on Windows it ends in
 * `.cmd`). It says its version without starting Node.
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
  const words = [process.execPath, builtFile('emulator/main.js')];
  const isWindows = platform === 'win32';
  const target = isWindows && !/\.cmd$/i.test(path) ? `${resolve(path)}.cmd` : resolve(path);
  const text = isWindows ? batch(version, variables, words) : shell(version, variables, words);
  await mkdir(dirname(target), { recursive: true });
  // In one step: a program that is being started must not find half of it.
  const draft = `${target}.${process.pid}`;
  await writeFile(draft, text);
  await chmod(draft, 0o755);
  await rename(draft, target);
  return target;
}

type Variables = readonly (readonly [name: string, value: string])[];

function shell(version: string, variables: Variables, words: readonly string[]): string {
  return [
    '#!/bin/sh',
    `case "$#$1" in 1-v|1--version) echo '${version} (Claude Code)'; exit 0;; esac`,
    ...variables.map(([name, value]) => `export ${name}=${quoted(value)}`),
    `exec ${words.map(quoted).join(' ')} "$@"`,
    '',
  ].join('\n');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function batch(version: string, variables: Variables, words: readonly string[]): string {
  return [
    '@echo off',
    ...['-v', '--version'].map((flag) => `if "%*"=="${flag}" (echo ${version} ^(Claude Code^)& exit /b 0)`),
    ...variables.map(([name, value]) => `set "${name}=${value}"`),
    `${words.map((word) => `"${word}"`).join(' ')} %*`,
    '',
  ].join('\r\n');
}
