import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject } from '../../../wire/protocol/frames.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { writePrivately } from '../keys/private-file.js';

/** How long a token is valid; services refuse more than a day. */
const GOOD_FOR_S = 12 * 3_600;

/** The key pair that identifies this server to push services, as RFC 8292 says. */
export class VapidKeys {
  readonly #private: KeyObject;
  /** The public key: a point on P-256 in base64url, as browsers want it. */
  readonly publicKey: string;

  constructor(jwk: JsonWebKey) {
    this.#private = createPrivateKey({ key: jwk, format: 'jwk' });
    const place = [jwk.x, jwk.y].map((each) => Buffer.from(String(each), 'base64url'));
    this.publicKey = Buffer.concat([Buffer.from([4]), ...place]).toString('base64url');
  }

  /** Those in a private file, which is made when it is first needed. */
  static in(path: string): VapidKeys {
    const stored = readKey(path);
    if (stored !== undefined) return new VapidKeys(stored);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    const jwk = privateKey.export({ format: 'jwk' });
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writePrivately(path, JSON.stringify(jwk));
    return new VapidKeys(jwk);
  }

  /** The `Authorization` of a message to a push service. */
  authorization(
    endpoint: string,
    { now, subject }: { readonly now: number; readonly subject: string },
  ): string {
    const claims = {
      aud: new URL(endpoint).origin,
      exp: Math.floor(now / 1_000) + GOOD_FOR_S,
      sub: subject,
    };
    const token = [{ typ: 'JWT', alg: 'ES256' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const key = { key: this.#private, dsaEncoding: 'ieee-p1363' } as const;
    const signature = sign('sha256', Buffer.from(token), key).toString('base64url');
    return `vapid t=${token}.${signature}, k=${this.publicKey}`;
  }
}

/** A damaged file is replaced: then every browser has to subscribe again. What cannot be read now may be readable later. */
function readKey(path: string): JsonWebKey | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const jwk: unknown = JSON.parse(text);
    if (!isObject(jwk)) return undefined;
    createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return jwk as JsonWebKey;
  } catch {
    return undefined;
  }
}
