import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import type { FileView } from '../../../entry/remote/contract.js';
import { isBelow } from '../../../wire/files/is-below.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/** How much of a file to return. */
export const MOST_BYTES = 1024 * 1024;
/** A file with a zero among its first bytes is not text. */
const LOOKED_AT = 8_192;
// Do not wait for a pipe, and do not follow the last segment if it has become a link meanwhile.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file in a folder, up to the limit; follows links only inside the folder, which is a real path.
 * @throws CoxswainError `FOLDER_REFUSED` if it is not a file in the folder.
 */
export async function readFolderFile(folder: string, path: string): Promise<FileView> {
  try {
    const real = await realpath(resolve(folder, path));
    if (real === folder || !isBelow(folder, real)) throw refusal(path);
    const file = await open(real, FLAGS);
    try {
      const facts = await file.stat();
      if (!facts.isFile()) throw refusal(path);
      const bytes = Buffer.alloc(Math.min(facts.size, MOST_BYTES));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      const name = relative(folder, real).split(sep).join('/');
      const read = bytes.subarray(0, bytesRead);
      const [text, cut] = [decodedText(read), facts.size > bytesRead];
      const version =
        text !== undefined && !cut && Buffer.from(text).equals(read) ? versionOf(read) : undefined;
      return { path: name, bytes: facts.size, text, cut, version, ...(cut ? {} : imageIn(read)) };
    } finally {
      await file.close();
    }
  } catch {
    // Do not reveal whether something exists outside the folder.
    throw refusal(path);
  }
}

/** How the images begin that every browser shows. */
const IMAGES: readonly (readonly [type: string, begin: string])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '474946383'],
];

/** A file's content, if it is an image: its first bytes count, not its name. */
function imageIn(bytes: Buffer): Pick<FileView, 'image'> {
  const begin = bytes.subarray(0, 12).toString('hex');
  const isWebp = begin.startsWith('52494646') && begin.endsWith('57454250');
  const type = isWebp ? 'image/webp' : IMAGES.find(([, bytesOf]) => begin.startsWith(bytesOf))?.[0];
  return type === undefined ? {} : { image: { type, data: bytes.toString('base64') } };
}

/** A file's text, if it is text. */
export function decodedText(bytes: Buffer): string | undefined {
  return bytes.subarray(0, LOOKED_AT).includes(0) ? undefined : bytes.toString('utf8');
}

/** Identifies the content of a file. */
export function versionOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('base64url');
}

function refusal(path: string): CoxswainError {
  return new CoxswainError('FOLDER_REFUSED', `${path} is not a file in the folder of the session.`);
}
