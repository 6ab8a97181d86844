import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../../entry/remote/contract.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { kind, kinds, oneOf, shapeOf } from '../../../wire/util/option-checks.js';
import { hashOf, type Key, makeSecret } from './key.js';
import { StoredList } from './stored-list.js';

/**
 * The keys in a state folder: created, listed and revoked by a command, and read by the server while it runs.
 */
export class KeyFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #list: StoredList<Key>;

  constructor(stateFolder: string) {
    this.#folder = stateFolder;
    this.#path = join(stateFolder, 'keys.json');
    this.#list = new StoredList({ path: this.#path, field: 'keys', kind: aKey });
  }

  /** The current keys, including expired ones. An unreadable file contains none. */
  get all(): readonly Key[] {
    return this.#list.all;
  }

  /** What is wrong with the file, in words. */
  get problems(): readonly string[] {
    return this.#list.problems;
  }

  /** Creates a key and returns its token, which is stored nowhere. @throws CoxswainError `OPTION_INVALID`. */
  add(name: string, role: Role, expiresAt?: number): string {
    if (!NAME.test(name)) {
      throw new CoxswainError(
        'OPTION_INVALID',
        'A key name may contain up to 40 letters, digits, ".", "_" and "-".',
      );
    }
    const token = makeSecret();
    this.#change((keys) => {
      if (keys.some((key) => key.name === name)) {
        throw new CoxswainError('OPTION_INVALID', `There is already a key "${name}". Remove it first.`);
      }
      return [...keys, { name, role, hash: hashOf(token), createdAt: Date.now(), expiresAt }];
    });
    return token;
  }

  /** Revokes a key; returns whether it existed. */
  remove(name: string): boolean {
    if (!this.all.some((key) => key.name === name)) return false;
    this.#change((keys) => keys.filter((key) => key.name !== name));
    return true;
  }

  /** Several commands may create keys at once: each waits for the previous one. */
  #change(change: (keys: readonly Key[]) => readonly Key[]): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const unlock = lock(`${this.#path}.lock`);
    try {
      this.#list.write(change(this.all));
    } finally {
      unlock();
    }
  }
}

const NAME = /^[\w.-]{1,40}$/;

const aKey = shapeOf(
  {
    name: kind('the name of a key', (value) => typeof value === 'string' && NAME.test(value)),
    role: oneOf('owner', 'operator', 'watcher'),
    hash: kinds.text,
    createdAt: kinds.number,
    expiresAt: kinds.number,
  },
  { required: ['name', 'role', 'hash', 'createdAt'], hasOthers: true },
);

/** A change takes a millisecond: an older lock was left by a killed process. */
const STALE_MS = 2_000;
const LOOK_MS = 10;

function lock(path: string): () => void {
  for (;;) {
    try {
      mkdirSync(path);
      return () => removeFolder(path);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > STALE_MS) removeFolder(path);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
  }
}

function removeFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Another process was faster.
  }
}
