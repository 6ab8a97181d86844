import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { CoxswainError } from '../../wire/util/errors.js';

/** The path of a program on this machine. @throws CoxswainError `SPAWN_FAILED` if it is not installed. */
export function findProgram(name: string, spawner: string, searchPath = process.env.PATH ?? ''): string {
  const paths = isAbsolute(name) ? [name] : searchPath.split(delimiter).map((folder) => join(folder, name));
  const found = paths.find(isExecutable);
  if (found !== undefined) return found;
  throw new CoxswainError('SPAWN_FAILED', `${spawner} needs the program ${name}, which is not installed.`);
}

/** @throws CoxswainError `SPAWN_FAILED` for a path of this machine that does not exist. */
export function checkFolder(path: string, spawner: string): void {
  if (isAbsolute(path) && existsSync(path)) return;
  const problem = isAbsolute(path) ? 'does not exist' : 'is not an absolute path';
  throw new CoxswainError('SPAWN_FAILED', `${spawner} cannot mount ${path}: it ${problem}.`);
}

/** What a program printed, and how it ended. */
export interface Ran {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** Runs a program with an input to its end, for at most `ms`; never rejects. */
export function runToEnd(
  [file = '', ...args]: readonly string[],
  { input = '', ms, env }: { input?: string; ms: number; env?: Readonly<Record<string, string | undefined>> },
): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { timeout: ms, killSignal: 'SIGKILL', env: env ?? process.env } as const;
    const child = execFile(file, args, options, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
      resolve({ code, out, err: err.trim() || (error?.message ?? '') });
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
