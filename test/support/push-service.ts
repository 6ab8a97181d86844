import { createDecipheriv, createECDH, createHmac, type ECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A message that a push service took, as the browser reads it. */
export interface TakenPush {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A push service on loopback, and the keys of a browser that subscribed there. */
export interface PushService {
  readonly subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string };
  readonly taken: readonly TakenPush[];
  /** What it answers from now on. */
  status: number;
}

/** Starts one; it ends with the test. */
export async function startPushService(): Promise<PushService> {
  const browser = createECDH('prime256v1');
  const p256dh = browser.generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  const taken: TakenPush[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      taken.push({ headers: request.headers, text: decryptPush(Buffer.concat(parts), browser, auth) });
      response.writeHead(service.status).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/push/one`;
  const service: PushService = { subscription: { endpoint, p256dh, auth }, taken, status: 201 };
  return service;
}

/** Reads a message as a browser does (RFC 8188 and 8291). */
export function decryptPush(body: Buffer, browser: ECDH, auth: string): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const theirs = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), theirs]);
  const shared = hkdf(Buffer.from(auth, 'base64url'), browser.computeSecret(theirs), info, 32);
  const key = hkdf(salt, shared, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = hkdf(salt, shared, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
}

function hkdf(salt: Buffer, secret: Buffer, info: Buffer, length: number): Buffer {
  const key = createHmac('sha256', salt).update(secret).digest();
  return createHmac('sha256', key)
    .update(Buffer.concat([info, Buffer.from([1])]))
    .digest()
    .subarray(0, length);
}
