import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { replaceFile } from './replace-file.js';

/** A program that starts another one: a shell script, or on Windows a Node module. */
export interface ProgramTexts {
  readonly shell: string;
  readonly module: string;
}

/**
 * Writes a program that stands in for a CLI and returns the path to start. Node does not start batch files on Windows,
 * so there it is a module, `<path>.mjs`, with a `.cmd` next to it for shells and PATH.
 */
export async function writeProgram(
  path: string,
  { shell, module }: ProgramTexts,
  platform: string = process.platform,
): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  if (platform !== 'win32') return writeOne(path, shell);
  const bare = path.replace(/\.(?:cmd|mjs)$/i, '');
  const program = await writeOne(`${bare}.mjs`, module);
  await writeOne(`${bare}.cmd`, shimFor(basename(program)));
  return program;
}

/** In one step: a program that is being started must not be half-written. */
async function writeOne(path: string, text: string): Promise<string> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  await chmod(draft, 0o755);
  await replaceFile(draft, path);
  return path;
}

/** Written the way npm writes them, so that SDKs recognise the script behind it. */
function shimFor(name: string): string {
  return `@echo off\r\n"${process.execPath.replaceAll('%', '%%')}" "%~dp0\\${name.replaceAll('%', '%%')}" %*\r\n`;
}

/** A /bin/sh script that is replaced by another program. */
export function execScript(words: readonly string[], before: readonly string[] = []): string {
  return ['#!/bin/sh', ...before, `exec ${words.map(shellQuoted).join(' ')} "$@"`, ''].join('\n');
}

/** Quotes a word for /bin/sh. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
