import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtFile } from '../../../../wire/package/built-file.js';
import { traitsOf } from '../versions/traits.js';

/**
 * Returns the path of the emulated CLI as a Node program, to pass to an SDK instead of `claude`. With a version, it
 * emulates that version, including for `--version`; otherwise `COXSWAIN_PERSONALITY` decides. For most versions the program
 * is a small file in the user's cache folder. @throws CoxswainError `OPTION_INVALID` for a version that cannot be
 * emulated.
 */
export function emulatorProgram(version?: string): string {
  const beside = (name: string) => builtFile(`emulator/${name}.js`);
  if (version === undefined) return beside('main');
  traitsOf(version);
  const own = beside(`claude-${version.replaceAll('.', '-')}`);
  return existsSync(own) ? own : writtenProgram(beside('main'), version);
}

/** Writes a program that plays one version, unless it exists; its name distinguishes several copies of this package. */
function writtenProgram(main: string, version: string): string {
  const { COXSWAIN_CACHE, XDG_CACHE_HOME } = process.env;
  const folder = join(
    COXSWAIN_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'coxswain'),
    'emulated',
  );
  const copy = createHash('sha256').update(main).digest('hex').slice(0, 8);
  const path = join(folder, `claude-${version}-${copy}.mjs`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lines = [
    '#!/usr/bin/env node',
    `process.env.COXSWAIN_PERSONALITY ||= '${version}';`,
    `await import('${pathToFileURL(main).href}');`,
  ];
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${lines.join('\n')}\n`);
  chmodSync(draft, 0o755);
  renameSync(draft, path);
  return path;
}
