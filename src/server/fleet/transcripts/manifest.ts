import { isObject } from '../../../wire/protocol/frames.js';

/** What the engine has of a conversation: files, each in pieces that follow one another. */
export interface Manifest {
  readonly format: 1;
  readonly epoch: number;
  /** Goes up with each save: with the epoch it is part of the names of pieces, so that those in use are never written over. */
  readonly generation: number;
  readonly files: readonly KeptFile[];
}

/** A file as it was when it was saved last. */
export interface KeptFile {
  readonly name: string;
  readonly bytes: number;
  /** Of all of it. */
  readonly sha256: string;
  readonly pieces: readonly string[];
}

/** Reads one; undefined for what this version does not know. */
export function readManifest(bytes: Uint8Array): Manifest | undefined {
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!isObject(value) || value.format !== 1 || !Array.isArray(value.files)) return undefined;
  return value as unknown as Manifest;
}

/** The names come from elsewhere; none may come to lie outside the folder, or be a file of another conversation. */
export function isOwnName(name: string, conversation: string): boolean {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\:\0]/.test(part)))
    return false;
  const [first = ''] = parts;
  return parts.length === 1
    ? first === `${conversation}.jsonl` || /^agent-[^/]+\.jsonl$/.test(first)
    : first === conversation;
}
