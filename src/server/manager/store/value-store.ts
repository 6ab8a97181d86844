import { CoxswainError } from '../../../wire/util/errors.js';

/** Where a manager keeps its records: values by key. */
export interface ValueStore {
  /** Its name in messages. */
  readonly path: string;
  readonly values: ReadonlyMap<string, unknown>;
  /** How many lines could not be read. */
  readonly unreadable: number;
  /**
   * Stores a value, which is safe when this returns; undefined removes the key.
   * @throws CoxswainError `STORE_FAILED`, `MANAGER_CLOSED`: then nothing has changed.
   */
  set(key: string, value: unknown): void;
  /** Records something that has already happened. If it cannot be stored, it counts anyway, and is stored later. */
  note(key: string, value: unknown): void;
  /** Changes a value that need not outlive this process. */
  remember(key: string, value: unknown): void;
  /** Runs a function and stores all its changes at once. */
  together(work: () => void): void;
  close(): void;
}

/** The error of a store that is closed. */
export function storeClosed(): CoxswainError {
  return new CoxswainError('MANAGER_CLOSED', 'The manager is closed and stores nothing more.');
}
