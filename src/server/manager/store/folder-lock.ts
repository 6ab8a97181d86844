import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProcess, type ProcessId, processId } from '../../../wire/transport/process/process-id.js';
import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** Releases the folder. */
export type Unlock = () => void;

/**
 * Locks a folder for this process. A lock whose process is gone is taken over.
 * @throws CoxswainError `STORE_IN_USE` while another process has it, `STORE_FAILED` if the folder cannot be used.
 */
export function lockFolder(folder: string): Unlock {
  makeFolder(folder);
  const path = join(folder, 'lock');
  const mine = JSON.stringify({ ...processId(process.pid), at: Date.now() });
  for (let tries = 0; tries < 10; tries += 1) {
    if (create(path, mine)) return () => release(path, mine);
    const theirs = readIfThere(path);
    if (theirs === undefined) continue;
    const pid = holderOf(theirs);
    if (pid !== undefined) throw inUse(folder, pid);
    removeStale(path, theirs);
  }
  throw inUse(folder, undefined);
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const message = `The folder of the store could not be created: ${folder} (${errorText(error)})`;
    throw new CoxswainError('STORE_FAILED', message, { cause: error });
  }
}

function create(path: string, text: string): boolean {
  try {
    writeWhole(path, text);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    const message = `The store could not be locked: ${path} (${errorText(error)})`;
    throw new CoxswainError('STORE_FAILED', message, { cause: error });
  }
}

/** Linked when it is complete: another process would take an empty lock for a stale one. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error;
    // A file system without links.
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } finally {
    rmSync(draft, { force: true });
  }
}

function release(path: string, mine: string): void {
  if (readIfThere(path) === mine) rmSync(path, { force: true });
}

/**
 * Renaming is atomic: of two processes that see the same stale lock, one moves it, and puts back a lock that
 * is not stale.
 */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  try {
    if (readIfThere(aside) !== stale) linkSync(aside, path);
  } catch {
    // Another process already has it.
  }
  rmSync(aside, { force: true });
}

/** The process that holds the lock; undefined if it is gone. */
function holderOf(text: string): number | undefined {
  try {
    const { pid, started } = JSON.parse(text) as Partial<ProcessId>;
    return typeof pid === 'number' && isSameProcess({ pid, started }) ? pid : undefined;
  } catch {
    // The machine stopped while the lock was being written.
    return undefined;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function inUse(folder: string, pid: number | undefined): CoxswainError {
  const who = pid === undefined ? 'Another process' : `Process ${pid}`;
  return new CoxswainError(
    'STORE_IN_USE',
    `${who} uses this folder: ${folder}. Two managers cannot share one.`,
  );
}
