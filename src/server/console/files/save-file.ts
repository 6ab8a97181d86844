import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, type FileHandle, open, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { SaveParams } from '../../../entry/remote/contract.js';
import { replaceFile } from '../../../wire/files/replace-file.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { pathIn } from './edited-files.js';
import { MOST_BYTES, versionOf } from './read-file.js';

// Do not wait for a pipe, and do not follow a link.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Writes a text file in a folder, which is a real path, or creates it; nobody sees half of it.
 * @throws CoxswainError `FILE_CHANGED` if it is not the version that was read, `FOLDER_REFUSED` if it is in a `.git`
 * folder, behind a symbolic link or not in the folder.
 */
export async function saveFile(
  folder: string,
  { path: asked, text, version }: SaveParams,
): Promise<{ readonly path: string; readonly version: string }> {
  const path = pathIn(folder, asked);
  // What git finds there, it would run.
  if (path === undefined || /(?:^|\/)(?:\.git|git~\d+)[. ]*(?:\/|$)/i.test(path)) throw refusal(asked);
  const file = resolve(folder, path);
  const parent = await openFolder(dirname(file), asked);
  try {
    await write(join(parent.path, basename(file)), { path, text, version });
  } finally {
    await parent.handle?.close();
  }
  return { path, version: versionOf(text) };
}

/**
 * The folder of a file, which must be where its path says. On Linux it is held open and addressed by its number, so it
 * cannot be exchanged for a link meanwhile.
 */
async function openFolder(
  folder: string,
  asked: string,
): Promise<{ readonly path: string; readonly handle?: FileHandle }> {
  if (process.platform !== 'linux') {
    if ((await realpath(folder).catch(() => undefined)) !== folder) throw refusal(asked);
    return { path: folder };
  }
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY).catch(() => {
    throw refusal(asked);
  });
  const path = `/proc/self/fd/${handle.fd}`;
  if ((await realpath(path)) === folder) return { path, handle };
  await handle.close();
  throw refusal(asked);
}

async function write(file: string, { path, text, version }: SaveParams): Promise<void> {
  const found = await read(file, path);
  if ((found?.version ?? null) !== version) throw changed(path);
  if (found === undefined) {
    await writeFile(file, text, { flag: 'wx' }).catch((error: unknown) => {
      throw errorCode(error) === 'EEXIST' ? changed(path) : failed(path, error);
    });
    return;
  }
  const made = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(made, text, { flag: 'wx' });
    await chmod(made, found.mode);
    if ((await read(file, path))?.version !== version) throw changed(path);
    await replaceFile(made, file);
  } catch (error) {
    await rm(made, { force: true });
    throw error instanceof CoxswainError ? error : failed(path, error);
  }
}

/** What is there now; undefined if nothing is. */
async function read(
  path: string,
  name: string,
): Promise<{ readonly version: string; readonly mode: number } | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, FLAGS);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw refusal(name);
  }
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw refusal(name);
    // What is too long was never read as a whole.
    const version = facts.size > MOST_BYTES ? '' : versionOf(await file.readFile());
    return { version, mode: facts.mode & 0o7777 };
  } finally {
    await file.close();
  }
}

function refusal(path: string): CoxswainError {
  return new CoxswainError('FOLDER_REFUSED', `${path} cannot be written in the folder of the session.`);
}

function changed(path: string): CoxswainError {
  return new CoxswainError('FILE_CHANGED', `${path} has changed since you read it. Nothing was written.`);
}

function failed(path: string, cause: unknown): CoxswainError {
  const code = errorCode(cause) ?? 'unknown error';
  return new CoxswainError('WORKSPACE_FAILED', `${path} could not be written (${code}).`, { cause });
}
