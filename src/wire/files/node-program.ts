import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { replaceFile } from './replace-file.js';

/** A program that runs others: as a shell script, and as a module of Node for Windows. */
export interface ProgramTexts {
  readonly shell: string;
  readonly module: string;
}

/**
 * Writes a program that takes the place of a CLI; gives the path to start it by. Node starts no batch file on Windows,
 * so there it is a module, `<path>.mjs`, with a `.cmd` beside it for shells and PATH.
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

/** In one step: a program that is being started must not find half of it. */
async function writeOne(path: string, text: string): Promise<string> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text);
  await chmod(draft, 0o755);
  await replaceFile(draft, path);
  return path;
}

/** As npm writes them, so that SDKs see what is behind it. */
function shimFor(name: string): string {
  return `@echo off\r\n"${process.execPath.replaceAll('%', '%%')}" "%~dp0\\${name.replaceAll('%', '%%')}" %*\r\n`;
}

/** A script for /bin/sh that becomes another program. */
export function execScript(words: readonly string[], before: readonly string[] = []): string {
  return ['#!/bin/sh', ...before, `exec ${words.map(shellQuoted).join(' ')} "$@"`, ''].join('\n');
}

/** A word for /bin/sh. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
