import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { type ConversationStore, openStore } from '../../manager/store/conversation-store.js';
import type { ValueStore } from '../../manager/store/value-store.js';

/** The store for a server's manager. */
export interface TakenStore {
  readonly path: string;
  /** Whether it contains records that are set aside. */
  readonly hasDamaged: boolean;
  /** What could not be read of it and of others, in words. */
  readonly problems: readonly string[];
}

/**
 * The store for this server's manager: a merged store of what earlier servers left, or a new one. Each server has its
 * own, because several may share a state folder.
 */
export async function takeStore(folder: string): Promise<TakenStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = (await readdir(folder)).filter((name) => /^\d+-\w+$/.test(name));
  const problems: string[] = [];
  const stores = names.flatMap((name) => {
    const path = join(folder, name);
    const store = freeStore(path, (problem) => problems.push(problem));
    return store === undefined ? [] : [{ path, store }];
  });
  problems.push(...stores.flatMap(({ store }) => store.damage.problems));
  const [own, ...others] = stores;
  if (own === undefined) {
    const path = await mkdtemp(join(folder, `${process.pid}-`));
    return { path, hasDamaged: false, problems };
  }
  for (const { path, store } of others) {
    move(store.values, own.store.values);
    store.close();
    await rm(path, { recursive: true, force: true });
  }
  const { hasDamaged } = own.store;
  own.store.close();
  return { path: own.path, hasDamaged, problems };
}

/** A store, if no running server uses it and it can be read. */
function freeStore(path: string, onProblem: (problem: string) => void): ConversationStore | undefined {
  try {
    return openStore(path);
  } catch (error) {
    // Another server has it.
    if (errorCode(error) !== 'STORE_IN_USE')
      onProblem(`${path} is left out, because it cannot be read: ${errorText(error)}.`);
    return undefined;
  }
}

/** Moves conversations and their messages, and adds up the spending. */
function move(source: ValueStore, target: ValueStore): void {
  for (const [key, value] of source.values) {
    const isSum = key.startsWith('spent/');
    target.set(key, isSum ? Number(target.values.get(key) ?? 0) + Number(value) : value);
  }
}
