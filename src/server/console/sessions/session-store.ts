import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder, type Unlock } from '../../manager/store/folder-lock.js';
import { Journal } from '../../manager/store/journal.js';

/** A store without a server. */
interface FreeStore {
  readonly path: string;
  readonly unlock: Unlock;
}

const JOURNAL = 'conversations.jsonl';

/**
 * The store for this server's manager: a merged store of what earlier servers left, or a new one. Each server has its
 * own, because several may share a state folder.
 */
export async function takeStore(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = (await readdir(folder)).filter((name) => /^\d+-\w+$/.test(name));
  const [own, ...others] = names.flatMap((name) => freeStore(join(folder, name)));
  if (own === undefined) return mkdtemp(join(folder, `${process.pid}-`));
  for (const other of others) {
    move(other.path, own.path);
    await rm(other.path, { recursive: true, force: true });
  }
  own.unlock();
  return own.path;
}

/** A store, if no running server uses it and it can be read. */
function freeStore(path: string): readonly FreeStore[] {
  try {
    const unlock = lockFolder(path);
    try {
      new Journal(join(path, JOURNAL)).close();
      return [{ path, unlock }];
    } catch {
      unlock();
    }
  } catch {
    // Another server has it.
  }
  return [];
}

/** Moves conversations and their messages, and adds up the spending. */
function move(from: string, to: string): void {
  const source = new Journal(join(from, JOURNAL));
  const target = new Journal(join(to, JOURNAL));
  for (const [key, value] of source.values) {
    const isSum = key.startsWith('spent/');
    target.set(key, isSum ? Number(target.values.get(key) ?? 0) + Number(value) : value);
  }
  source.close();
  target.close();
}
