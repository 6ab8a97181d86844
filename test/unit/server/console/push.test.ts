import { createECDH, createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { areKeys, encryptPush } from '../../../../src/server/console/push/encrypt.js';
import { VapidKeys } from '../../../../src/server/console/push/vapid.js';
import { decryptPush } from '../../../support/push-service.js';

// The example of RFC 8291, section 5 and appendix A.
const EXAMPLE = {
  text: 'When I grow up, I want to be a watermelon',
  ownPrivate: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  theirPrivate: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
};

test('a message is encrypted as in the example of RFC 8291', () => {
  const own = createECDH('prime256v1');
  own.setPrivateKey(Buffer.from(EXAMPLE.ownPrivate, 'base64url'));
  const salt = Buffer.from(EXAMPLE.salt, 'base64url');
  const body = encryptPush(EXAMPLE.text, EXAMPLE, { salt, own });
  expect(body.toString('base64url')).toBe(EXAMPLE.body);
});

test('each message has its own key and salt, and the browser can read it', () => {
  const theirs = createECDH('prime256v1');
  theirs.setPrivateKey(Buffer.from(EXAMPLE.theirPrivate, 'base64url'));
  const [one, other] = [encryptPush('äöü', EXAMPLE), encryptPush('äöü', EXAMPLE)];
  expect(one.subarray(0, 86)).not.toEqual(other.subarray(0, 86));
  expect(decryptPush(one, theirs, EXAMPLE.auth)).toBe('äöü');
  expect(decryptPush(Buffer.from(EXAMPLE.body, 'base64url'), theirs, EXAMPLE.auth)).toBe(EXAMPLE.text);
});

test('keys that no browser has are noticed', () => {
  const { p256dh, auth } = EXAMPLE;
  expect(areKeys({ p256dh, auth })).toBe(true);
  expect(areKeys({ p256dh: p256dh.slice(2), auth })).toBe(false);
  expect(areKeys({ p256dh, auth: 'short' })).toBe(false);
  const elsewhere = Buffer.from(p256dh, 'base64url').fill(7, 1);
  expect(areKeys({ p256dh: elsewhere.toString('base64url'), auth })).toBe(false);
});

/** The parts of an `Authorization`, and whether its signature is that of its key. */
function read(authorization: string) {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map((each) =>
    each.toString('base64url'),
  );
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return { head, claims: Buffer.from(claims, 'base64url').toString(), isSigned };
}

test('the server identifies itself as in the example of RFC 8292', () => {
  // Its token and its public key, section 2.4 and 3.2.
  const example = `vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs`;
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-push-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const keys = VapidKeys.in(join(folder, 'push-key.json'));
  const now = (1_453_523_768 - 12 * 3_600) * 1_000;
  const subject = 'mailto:push@example.com';
  const own = read(
    keys.authorization('https://push.example.net/p/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV', { now, subject }),
  );
  expect(read(example).isSigned).toBe(true);
  expect(own).toEqual(read(example));
});

test('the key is kept in a private file, and a damaged one is replaced', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-push-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'state', 'push-key.json');
  const { publicKey } = VapidKeys.in(path);
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65);
  expect(VapidKeys.in(path).publicKey).toBe(publicKey);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  for (const damage of ['', '{}', '[]', '{"kty":"EC"}', readFileSync(path, 'utf8').slice(0, 40)]) {
    writeFileSync(path, damage);
    expect(VapidKeys.in(path).publicKey).not.toBe(publicKey);
  }
});
