import { createCipheriv, createECDH, createHmac, type ECDH, randomBytes } from 'node:crypto';

/** The keys of a browser's subscription, in base64url. */
export interface SubscriptionKeys {
  /** Its public key: a point on P-256, uncompressed. */
  readonly p256dh: string;
  /** Its secret: 16 bytes. */
  readonly auth: string;
}

/** What is random in a message; a test gives it. */
export interface Chance {
  readonly salt: Buffer;
  readonly own: ECDH;
}

const RECORD_SIZE = 4_096;

/** Whether the keys are what a browser sends. */
export function areKeys({ p256dh, auth }: SubscriptionKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== 65 || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== 16) return false;
  try {
    const own = createECDH('prime256v1');
    own.generateKeys();
    // Refuses a point that is not on the curve.
    own.computeSecret(point);
    return true;
  } catch {
    return false;
  }
}

/** Encrypts a short text for a browser, as RFC 8291 says: a single record of `aes128gcm`. */
export function encryptPush(text: string, { p256dh, auth }: SubscriptionKeys, chance = anyChance()): Buffer {
  const { salt, own } = chance;
  const [theirs, ours] = [Buffer.from(p256dh, 'base64url'), own.getPublicKey()];
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const shared = derive(Buffer.from(auth, 'base64url'), own.computeSecret(theirs), info, 32);
  const key = derive(salt, shared, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(salt, shared, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // 2 ends the last record.
  const plain = Buffer.concat([Buffer.from(text), Buffer.from([2])]);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(RECORD_SIZE);
  head.writeUInt8(ours.length, 4);
  return Buffer.concat([salt, head, ours, sealed]);
}

function anyChance(): Chance {
  const own = createECDH('prime256v1');
  own.generateKeys();
  return { salt: randomBytes(16), own };
}

/** HKDF with SHA-256, for up to one block. */
function derive(salt: Buffer, secret: Buffer, info: Buffer, length: number): Buffer {
  const key = createHmac('sha256', salt).update(secret).digest();
  const block = createHmac('sha256', key)
    .update(Buffer.concat([info, Buffer.from([1])]))
    .digest();
  return block.subarray(0, length);
}
