import { createHash, randomUUID } from 'node:crypto';
import { RecentMap } from '../../../wire/util/maps.js';
import { HttpProblem } from './problems.js';

/** What an `Idempotency-Key` came with. */
export interface KeyedRequest {
  /** The header; undefined if there was none. */
  readonly key: string | undefined;
  /** The hash of the bearer key, which keeps the keys of different callers apart. */
  readonly keyHash: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** How many are remembered; the same number as command answers. */
const KEPT = 10_000;
const LONGEST = 255;

/**
 * Derives a command's id from an `Idempotency-Key`; the commands' own memory of ids does the rest. The same key
 * always gives the same id, even after a restart, so the CLI accepts a message once even if it is sent again.
 */
export class Idempotency {
  readonly #seen = new RecentMap<string, string>(KEPT);

  /** The id of the command. @throws HttpProblem where the key was used for something else. */
  idOf({ key, keyHash, method, path, body }: KeyedRequest): string {
    if (key === undefined) return randomUUID();
    if (key === '' || key.length > LONGEST) {
      const detail = `An Idempotency-Key must have 1 to ${LONGEST} characters.`;
      throw new HttpProblem(400, 'COMMAND_INVALID', { detail });
    }
    const id = uuidOf(JSON.stringify([keyHash, key]));
    const print = hash(JSON.stringify([method, path, body])).toString('base64url');
    const before = this.#seen.get(id);
    if (before !== undefined && before !== print) {
      const detail = 'This Idempotency-Key was used for another request.';
      throw new HttpProblem(422, 'COMMAND_INVALID', { detail });
    }
    this.#seen.set(id, print);
    return id;
  }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A version 8 UUID, derived from a hash. */
function uuidOf(text: string): string {
  const bytes = hash(text).subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
