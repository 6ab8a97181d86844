import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSameProcess, type ProcessId, processId } from './process-id.js';

/** The file that names the host of a folder of private files. */
const OWNER = 'owner.json';

/** The folders of private files, as the keeper names them. */
const FOLDER = /^coxswain-[0-9a-f]{32}$/;

interface Owner extends ProcessId {
  /** Process ids mean something only in their own namespace: a container may share the folder for temporary files. */
  readonly namespace?: string | undefined;
}

/** Writes a file that only this user can read into the folder of a watch; returns its path. */
export function writePrivate(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  claim(dirname(folder));
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return path;
}

/** Removes the private files of hosts that ended together with their keeper, as in a power failure. */
export function removeLeftovers(tmp: string, remove: (folder: string) => void): void {
  for (const name of namesIn(tmp).filter((each) => FOLDER.test(each))) {
    const folder = join(tmp, name);
    if (isLeftover(folder)) remove(folder);
  }
}

function claim(folder: string): void {
  const owner: Owner = { ...processId(process.pid), namespace: pidNamespace() };
  try {
    writeFileSync(join(folder, OWNER), JSON.stringify(owner), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
}

/** Anything that cannot be read may still be in use, and stays. */
function isLeftover(folder: string): boolean {
  try {
    const { uid } = lstatSync(folder);
    if (process.getuid !== undefined && uid !== process.getuid()) return false;
    const owner: unknown = JSON.parse(readFileSync(join(folder, OWNER), 'utf8'));
    return isOwner(owner) && owner.namespace === pidNamespace() && !isSameProcess(owner);
  } catch {
    return false;
  }
}

function isOwner(value: unknown): value is Owner {
  return typeof value === 'object' && value !== null && 'pid' in value && Number.isInteger(value.pid);
}

function pidNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
