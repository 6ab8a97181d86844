import { chmod, writeFile } from 'node:fs/promises';
import { builtFile } from '../../wire/package/built-file.js';
import type { Surroundings } from '../surroundings.js';

/** What a wrapper taps. */
export interface Wrapped {
  readonly output: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly flags: {
    readonly raw?: boolean;
    readonly maxBytes?: number;
    readonly rotate?: boolean;
    readonly keep?: number;
    readonly live?: boolean;
  };
}

/** Writes a small program that runs a CLI under a tap; gives its path. */
export async function writeTapWrapper(
  path: string,
  { output, file, args, flags }: Wrapped,
  { platform }: Pick<Surroundings, 'platform'>,
): Promise<string> {
  const { raw, maxBytes, rotate, keep, live } = flags;
  const words = [
    ...[process.execPath, builtFile('command.js'), 'tap', '-o', output],
    ...(raw === true ? ['--raw'] : []),
    ...(maxBytes === undefined ? [] : ['--max-bytes', String(maxBytes)]),
    ...(rotate === true ? ['--rotate'] : []),
    ...(keep === undefined ? [] : ['--keep', String(keep)]),
    ...(live === true ? ['--live'] : []),
    ...['--', file, ...args],
  ];
  const [name, text] = platform === 'win32' ? [`${path}.cmd`, batch(words)] : [path, shell(words)];
  await writeFile(name, text);
  await chmod(name, 0o755);
  return name;
}

function shell(words: readonly string[]): string {
  return `#!/bin/sh\nexec ${words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')} "$@"\n`;
}

function batch(words: readonly string[]): string {
  return `@echo off\r\n${words.map((word) => `"${word}"`).join(' ')} %*\r\n`;
}
