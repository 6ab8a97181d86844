import { isObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** What the engine has of a conversation: files, each in consecutive pieces. */
export interface Manifest {
  readonly format: 1;
  readonly epoch: number;
  /**
   * Increases with each save: together with the epoch it is part of the pieces' names, so pieces in use are
   * never overwritten.
   */
  readonly generation: number;
  readonly files: readonly KeptFile[];
}

/** A file at the time of the last save. */
export interface KeptFile {
  readonly name: string;
  readonly bytes: number;
  /** The digest of the whole file. */
  readonly sha256: string;
  readonly pieces: readonly string[];
}

/** Reads a manifest; undefined for something else. @throws CoxswainError `STORE_TOO_NEW` for a newer format. */
export function readManifest(bytes: Uint8Array): Manifest | undefined {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (isObject(value) && Number(value.format) > 1)
    throw new CoxswainError(
      'STORE_TOO_NEW',
      'A newer version of Coxswain wrote the transcript. Upgrade to continue.',
    );
  if (!isObject(value) || value.format !== 1 || !Array.isArray(value.files)) return undefined;
  return value as unknown as Manifest;
}

/** The names come from elsewhere; none may lead outside the folder, or to another conversation's file. */
export function isOwnName(name: string, conversation: string): boolean {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\:\0]/.test(part)))
    return false;
  const [first = ''] = parts;
  return parts.length === 1
    ? first === `${conversation}.jsonl` || /^agent-[^/]+\.jsonl$/.test(first)
    : first === conversation;
}
