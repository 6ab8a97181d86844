import { describe, expect, test } from 'vitest';
import type { JoinAnswer, LoginAnswer } from '../../src/entry/remote/contract.js';
import { Access } from '../../src/server/console/http/access.js';
import { JOIN_MS, JoinCodes } from '../../src/server/console/keys/join-codes.js';
import { hashOf } from '../../src/server/console/keys/key.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import { Logins } from '../../src/server/console/keys/logins.js';
import type { Console } from '../../src/server/console/start-console.js';
import { startEmulatedConsole, temporaryFolder, trySocket } from '../support/console.js';

const post = (server: Console, path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${server.origin}/api/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** The answer to a request for a code, or the status of the refusal. */
async function join(server: Console, token: string, role: string): Promise<JoinAnswer | number> {
  const answer = await post(server, 'join', { role }, bearer(token));
  return answer.ok ? ((await answer.json()) as JoinAnswer) : answer.status;
}

/** The secret of a browser that logs in with a code, or the status of the refusal. */
async function logIn(server: Console, code: string): Promise<string | number> {
  const answer = await post(server, 'login', { token: code });
  return answer.ok ? ((await answer.json()) as LoginAnswer).secret : answer.status;
}

async function roleOf(server: Console, secret: string): Promise<unknown> {
  const answer = await fetch(`${server.origin}/api/me`, { headers: bearer(secret) });
  return answer.ok ? await answer.json() : answer.status;
}

describe('another device', () => {
  test('logs in with a code, once, and with no more rights than it was given', async () => {
    const { server } = await startEmulatedConsole([]);
    const asked = await join(server, server.token, 'operator');
    if (typeof asked === 'number') throw new Error(`refused with ${asked}`);
    expect(asked).toMatchObject({ origin: server.origin, goodForMs: JOIN_MS });
    const secret = await logIn(server, asked.code);
    expect(await roleOf(server, String(secret))).toEqual({ kind: 'page', role: 'operator', key: 'owner' });
    expect(await logIn(server, asked.code)).toBe(401);
    // The code is not a token: it opens no socket by itself.
    expect(await trySocket(server, bearer(asked.code))).toBe('401');
    // A device that has joined may invite another one, with no more rights than its own.
    expect(await join(server, String(secret), 'owner')).toBe(403);
    const next = await join(server, String(secret), 'watcher');
    if (typeof next === 'number') throw new Error(`refused with ${next}`);
    const watching = String(await logIn(server, next.code));
    expect(await roleOf(server, watching)).toMatchObject({ role: 'watcher' });
    expect(await join(server, watching, 'watcher')).toBe(403);
  });

  test('cannot be added without a key, or with an invalid role', async () => {
    const { server } = await startEmulatedConsole([], { watchToken: true });
    expect(await join(server, 'nobody', 'watcher')).toBe(401);
    expect(await join(server, server.watchToken ?? '', 'watcher')).toBe(403);
    for (const role of ['root', '', 'constructor', '__proto__'])
      expect(await join(server, server.token, role)).toBe(403);
    const foreign = await post(
      server,
      'join',
      { role: 'owner' },
      { ...bearer(server.token), origin: 'http://evil.example' },
    );
    expect(foreign.status).toBe(403);
    const long = await post(server, 'join', { role: 'owner', more: 'x'.repeat(5_000) }, bearer(server.token));
    expect(long.status).toBe(413);
  });

  test('loses access with the key that invited it, and keeps its role across a restart', async () => {
    const stateFolder = await temporaryFolder();
    const file = new KeyFile(stateFolder);
    const token = file.add('laptop', 'owner');
    const first = await startEmulatedConsole([], { stateFolder });
    const asked = await join(first.server, token, 'operator');
    if (typeof asked === 'number') throw new Error(`refused with ${asked}`);
    const secret = String(await logIn(first.server, asked.code));
    await first.server.close();
    const { server } = await startEmulatedConsole([], { stateFolder });
    expect(await roleOf(server, secret)).toMatchObject({ role: 'operator', key: 'laptop' });
    file.remove('laptop');
    expect(await roleOf(server, secret)).toBe(401);
  });

  test('is refused after two minutes', async () => {
    const folder = await temporaryFolder();
    let now = 1_000;
    const key = { name: 'owner', role: 'owner', hash: hashOf('a token'), createdAt: 0 } as const;
    const access = new Access({
      keys: [key],
      file: new KeyFile(folder),
      logins: new Logins(`${folder}/logins.json`),
      now: () => now,
    });
    const visitor = { kind: 'page', role: 'owner', key: 'owner', keyHash: key.hash } as const;
    const inTime = access.join(visitor, 'operator');
    const late = access.join(visitor, 'operator');
    now += JOIN_MS - 1;
    expect(access.logIn(inTime)).toBeDefined();
    now += 1;
    expect(access.logIn(late)).toBeUndefined();
  });

  test('has at most twenty valid codes', () => {
    const codes = new JoinCodes();
    const made = Array.from({ length: 21 }, () => codes.make({ key: 'k', role: 'watcher' }, 0));
    expect(codes.take(hashOf(made[0] ?? ''), 0)).toBeUndefined();
    expect(codes.take(hashOf(made[1] ?? ''), 0)).toMatchObject({ key: 'k', role: 'watcher' });
  });
});
