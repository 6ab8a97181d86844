import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { Access } from '../../src/server/console/http/access.js';
import { makeApp } from '../../src/server/console/http/app.js';
import { Names } from '../../src/server/console/http/names.js';
import { AuditLog } from '../../src/server/console/keys/audit-log.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import { Logins } from '../../src/server/console/keys/logins.js';
import { type Console, startConsole } from '../../src/server/console/start-console.js';
import { makeCertificate } from '../support/certificate.js';
import { startEmulatedConsole, temporaryFolder, trySocket } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { HeldClock } from '../support/held-clock.js';
import { settle } from '../support/settle.js';

const chat = () => [onUser(undefined, [say('Yes.')], { times: 'any' as const })];

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends a request without what fetch would correct: the Host header, and dots in the path. */
function ask(server: Console, path: string, { method = 'GET', headers = {}, body }: Asked = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port: server.port, path, method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      asked.on('error', reject);
      asked.end(body);
    },
  );
}

async function logIn(server: Console, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ token: server.token });
  return ask(server, '/api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

/** How a logged-in page requests the socket. */
async function pageHeaders(server: Console): Promise<Record<string, string>> {
  return { 'sec-websocket-protocol': `coxswain, coxswain.key.${await secretOf(server)}` };
}

async function secretOf(server: Console): Promise<string> {
  const { text } = await logIn(server);
  return JSON.parse(text).secret;
}

describe('the address', () => {
  test('is only on this machine, and its token is new each time', async () => {
    const one = await startEmulatedConsole(chat);
    const two = await startEmulatedConsole(chat);
    expect(one.server.origin).toBe(`http://127.0.0.1:${one.server.port}`);
    expect(one.server.url).toBe(`${one.server.origin}/#token=${one.server.token}`);
    expect(one.server.token).not.toBe(two.server.token);
    expect(one.server.token.length).toBeGreaterThanOrEqual(43);
  });

  test('may be public only with your own token that is long enough', async () => {
    const stateFolder = await temporaryFolder();
    const options = { host: '0.0.0.0', stateFolder, roots: [stateFolder] };
    await expect(startConsole(options)).rejects.toMatchObject({ code: 'CONSOLE_NOT_STARTED' });
    await expect(startConsole({ ...options, token: 'short' })).rejects.toMatchObject({
      code: 'CONSOLE_NOT_STARTED',
    });
    const server = await startConsole({ ...options, token: 'a token of my own, long enough' });
    onTestFinished(() => server.close());
    expect(await trySocket(server, { authorization: 'Bearer a token of my own, long enough' })).toBe('open');
  });

  test('is reported as others can reach it if it is public', async () => {
    const token = 'a token of my own, long enough';
    const { server } = await startEmulatedConsole(chat, { host: '0.0.0.0', token });
    const outside = Object.values(networkInterfaces())
      .flatMap((each = []) => each)
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address);
    expect([...outside, '127.0.0.1']).toContain(new URL(server.origin).hostname);
    if (outside.length > 0) expect(server.origin).not.toContain('127.0.0.1');
  });

  test.each([
    ['x'.repeat(64), 'the same character over and over'],
    ['abcabcabcabcabcabcabcabcabc', 'a few characters over and over'],
    ['a token with a snowman ☃ in it', 'what no header carries'],
  ])('is refused with a weak token: %j (%s)', async (token) => {
    const stateFolder = await temporaryFolder();
    const starting = startConsole({ token, stateFolder, roots: [stateFolder] });
    await expect(starting).rejects.toMatchObject({ code: 'CONSOLE_NOT_STARTED' });
  });

  test('uses HTTPS if there is a certificate', async ({ skip }) => {
    const files = makeCertificate(await temporaryFolder());
    if (files === undefined) return skip('openssl is not here');
    const tls = { key: await readFile(files.key, 'utf8'), cert: await readFile(files.cert, 'utf8') };
    // Nothing is left running: the same folder can be used at once.
    const stateFolder = await temporaryFolder();
    const swapped = startEmulatedConsole(chat, { stateFolder, tls: { key: tls.cert, cert: tls.key } });
    await expect(swapped).rejects.toMatchObject({
      code: 'CONSOLE_NOT_STARTED',
      message: expect.stringContaining('--tls-key'),
    });
    expect(await readdir(stateFolder)).toEqual([]);
    const { server } = await startEmulatedConsole(chat, { tls });
    expect(server.pageUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/#token=/);
    const headers = { authorization: `Bearer ${server.token}` };
    const socket = new WebSocket(`wss://127.0.0.1:${server.port}/api/socket`, {
      headers,
      ca: tls.cert,
    });
    onTestFinished(() => socket.terminate());
    await new Promise((resolve, reject) => socket.once('message', resolve).once('error', reject));
    await expect(fetch(`http://127.0.0.1:${server.port}/`)).rejects.toThrow();

    // Connections that show no key give way to each other, never a client.
    const left = new Promise((_resolve, reject) => socket.once('close', reject));
    left.catch(() => {});
    const idle = Array.from({ length: 600 }, () => connect(server.port, '127.0.0.1').resume());
    onTestFinished(() => idle.forEach((each) => void each.destroy()));
    for (const each of idle) each.on('error', () => {});
    await Promise.race([...idle.slice(0, 88).map((each) => once(each, 'close')), left]);
    socket.ping();
    await Promise.race([once(socket, 'pong'), left]);
  });

  test('answers guesses with a delay', async () => {
    const clock = new HeldClock(500);
    const { server } = await startEmulatedConsole(chat, { clock });
    const headers = { authorization: 'Bearer guess' };
    const statusOf = async (path: string, asked: Asked) => String((await ask(server, path, asked)).status);
    const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ token: 'guess' });
    const guesses: readonly [string, () => Promise<string>][] = [
      ['401', () => trySocket(server, headers)],
      ['401', () => statusOf('/api/me', { headers })],
      ['401', () => statusOf('/api/login', { ...json, body })],
      ['401', () => statusOf('/api/v1/conversations', { headers })],
      ['410', () => statusOf('/api/v1/answers/guess', { ...json, body: '{"answer":"deny"}' })],
    ];
    for (const [status, guess] of guesses) {
      let isAnswered = false;
      const answer = guess().finally(() => {
        isAnswered = true;
      });
      await eventually(() => clock.size > 0 || isAnswered);
      await settle(3);
      expect({ status, isAnswered }).toEqual({ status, isAnswered: false });
      clock.letRun();
      expect(await answer).toBe(status);
    }
  });

  test('may be another address of this machine, and is then reported', async () => {
    const { server } = await startEmulatedConsole(chat, { host: '127.0.0.2' });
    expect((await fetch(`${server.origin}/api/me`)).status).toBe(401);
  });

  test('answers a health check without a key, and says nothing else', async () => {
    const { server } = await startEmulatedConsole(chat, { host: '127.0.0.2' });
    const response = await fetch(`${server.origin}/healthz`);
    expect([response.status, await response.text()]).toEqual([200, 'ok']);
  });

  test('that is taken is reported', async () => {
    const { server, stateFolder } = await startEmulatedConsole(chat);
    const again = startConsole({ port: server.port, stateFolder, roots: [stateFolder] });
    await expect(again).rejects.toMatchObject({
      code: 'CONSOLE_NOT_STARTED',
      message: expect.stringContaining('EADDRINUSE'),
    });
  });
});

describe('the token', () => {
  test('is exchanged for a secret of one browser, never for a cookie', async () => {
    const { server } = await startEmulatedConsole(chat);
    const { status, headers, text } = await logIn(server);
    expect(status).toBe(200);
    expect(headers['set-cookie']).toBeUndefined();
    const { secret } = JSON.parse(text);
    expect(secret).not.toBe(server.token);
    expect(secret).not.toBe(await secretOf(server));
    const authorization = `Bearer ${secret}`;
    const me = await ask(server, '/api/me', { headers: { authorization } });
    expect(JSON.parse(me.text)).toEqual({ kind: 'page', role: 'owner', key: 'owner' });
    for (const cookie of [`coxswain_${server.port}=${secret}`, `coxswain_${server.port}=${server.token}`]) {
      expect((await ask(server, '/api/me', { headers: { cookie } })).status).toBe(401);
      expect(await trySocket(server, { cookie, origin: server.origin })).toBe('401');
    }
  });

  test('in an address for a browser works once: a copy in the history is useless', async () => {
    const used: string[] = [];
    const { server } = await startEmulatedConsole(chat, { onPageUrlUsed: (next) => used.push(next) });
    const first = server.pageUrl;
    const enter = (url: string) =>
      ask(server, '/api/login', { method: 'POST', body: JSON.stringify({ token: url.split('#token=')[1] }) });
    expect(first).not.toContain(server.token);
    expect((await enter(first)).status).toBe(200);
    expect((await enter(first)).status).toBe(401);
    expect(used).toEqual([server.pageUrl]);
    expect((await enter(server.pageUrl)).status).toBe(200);
    const authorization = `Bearer ${server.pageUrl.split('#token=')[1]}`;
    expect(await trySocket(server, { authorization })).toBe('401');
  });

  test('is not in the state folder, and neither are the secrets of browsers', async () => {
    const { server, stateFolder } = await startEmulatedConsole(chat);
    const secret = await secretOf(server);
    const found = await readdir(stateFolder, { recursive: true, withFileTypes: true });
    const files = found.filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['audit.jsonl', 'logins.json']));
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name);
      expect((await stat(path)).mode & 0o077).toBe(0);
      const text = await readFile(path, 'utf8');
      for (const hidden of [secret, server.token]) expect(text).not.toContain(hidden);
      const parts = text.match(/[\w-]{40,}/g) ?? [];
      for (const part of parts)
        expect(await trySocket(server, { authorization: `Bearer ${part}` })).toBe('401');
    }
  });

  test('is required: a missing one, a wrong one and a wrong secret are refused everywhere', async () => {
    const { server } = await startEmulatedConsole(chat);
    const origin = server.origin;
    const wrong = JSON.stringify({ token: `${server.token.slice(1)}x` });
    expect((await ask(server, '/api/me')).status).toBe(401);
    expect((await ask(server, '/api/login', { method: 'POST', body: wrong })).status).toBe(401);
    expect((await ask(server, '/api/login', { method: 'POST', body: 'no json' })).status).toBe(401);
    expect(await trySocket(server, {})).toBe('401');
    expect(await trySocket(server, { authorization: 'Bearer nonsense' })).toBe('401');
    expect(await trySocket(server, { origin, 'sec-websocket-protocol': 'coxswain, coxswain.key.x' })).toBe(
      '401',
    );
  });

  test('in a body that is too long is not even read', async () => {
    const { server } = await startEmulatedConsole(chat);
    const body = JSON.stringify({ token: 'x'.repeat(10_000) });
    expect((await ask(server, '/api/login', { method: 'POST', body })).status).toBe(413);
  });

  test('in a body of unknown length is not read either, and a missing body is not a server error', async () => {
    const { server } = await startEmulatedConsole(chat);
    const chunked = { 'transfer-encoding': 'chunked' };
    expect((await logIn(server, chunked)).status).toBe(411);
    expect((await ask(server, '/api/login', { method: 'DELETE' })).status).toBe(404);
    expect((await ask(server, '/api/none', { method: 'PUT', headers: chunked, body: 'x' })).status).toBe(404);
  });

  test('keeps pages logged in if it is the same after a restart', async () => {
    const token = 'the same token before and after';
    const before = await startEmulatedConsole(chat, { token });
    const headers = { authorization: `Bearer ${await secretOf(before.server)}` };
    await before.server.close();
    const { stateFolder } = before;
    const after = await startEmulatedConsole(chat, { token, stateFolder });
    expect((await ask(after.server, '/api/me', { headers })).status).toBe(200);
    await after.server.close();
    const other = await startEmulatedConsole(chat, { token: `${token}, and more`, stateFolder });
    expect((await ask(other.server, '/api/me', { headers })).status).toBe(401);
  });
});

describe('foreign host names that point here (DNS rebinding)', () => {
  test.each(['evil.example', 'evil.example:PORT', '127.0.0.1.evil.example:PORT', 'me@127.0.0.1:PORT'])(
    'Host %j is refused, for pages and sockets',
    async (name) => {
      const { server } = await startEmulatedConsole(chat);
      const host = name.replace('PORT', String(server.port));
      // The attacker’s page has the same wrong name as its origin: being equal is not enough.
      const headers = { host, origin: `http://${host}` };
      expect((await ask(server, '/', { headers: { host } })).status).toBeGreaterThanOrEqual(400);
      expect((await logIn(server, headers)).status).toBeGreaterThanOrEqual(400);
      const authorization = `Bearer ${server.token}`;
      expect(await trySocket(server, { ...headers, authorization })).not.toBe('open');
    },
  );

  test('localhost, a tunnel to it and explicitly allowed names are accepted', async () => {
    const { server } = await startEmulatedConsole(chat, { allowedHosts: ['box.example'] });
    for (const host of [`localhost:${server.port}`, 'localhost:8000', 'box.example', 'BOX.example:8443']) {
      expect((await logIn(server, { host })).status).toBe(200);
      expect((await logIn(server, { host, origin: `http://${host}` })).status).toBe(200);
    }
    expect((await logIn(server, { origin: 'https://box.example' })).status).toBe(200);
    expect((await logIn(server, { host: 'box.example', origin: server.origin })).status).toBe(403);
  });
});

describe('pages of other sites', () => {
  test.each([
    'http://evil.example',
    'null',
    'https://127.0.0.1.evil.example',
    'file://',
    'http://127.0.0.1:1',
  ])('Origin %j is refused, even with the secret of a page', async (origin) => {
    const { server } = await startEmulatedConsole(chat);
    const page = await pageHeaders(server);
    expect((await logIn(server, { origin })).status).toBe(403);
    expect(await trySocket(server, { origin, ...page })).toBe('403');
    expect(await trySocket(server, { origin, authorization: `Bearer ${server.token}` })).toBe('403');
  });

  test('our own page is accepted, but its secret without a page is not', async () => {
    const { server } = await startEmulatedConsole(chat);
    const page = await pageHeaders(server);
    expect(await trySocket(server, { origin: server.origin, ...page })).toBe('open');
    expect(await trySocket(server, page)).toBe('403');
  });

  test('get no permission to read anything', async () => {
    const { server } = await startEmulatedConsole(chat);
    const { headers } = await ask(server, '/api/me');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

/** Only the HTTP side, without sessions. */
async function bareApp(publicFolder: string) {
  const folder = await temporaryFolder();
  const logins = new Logins(join(folder, 'logins.json'));
  const access = new Access({ keys: [], file: new KeyFile(folder), logins, now: Date.now });
  const audit = new AuditLog(join(folder, 'audit.jsonl'), Date.now);
  onTestFinished(() => audit.close());
  const api = () => Promise.reject(new Error('not here'));
  const origin = () => 'http://127.0.0.1';
  const onLoggedOut = () => {};
  return makeApp({ access, names: new Names('127.0.0.1'), audit, api, publicFolder, origin, onLoggedOut });
}

describe('what is served', () => {
  test('carries a strict policy: no foreign script, no inline script, no frame', async () => {
    const { server } = await startEmulatedConsole(chat);
    for (const path of ['/', '/api/me', '/nothing-here']) {
      const { headers } = await ask(server, path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toContain('unsafe');
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
    }
  });

  test('is never a file outside the page’s folder', async () => {
    const folder = await temporaryFolder();
    const publicFolder = join(folder, 'public');
    await mkdir(publicFolder);
    await writeFile(join(publicFolder, 'index.html'), 'the page');
    await writeFile(join(folder, 'secret.txt'), 'the secret');
    const app = await bareApp(publicFolder);
    const get = async (path: string) => {
      const incoming = { headers: { host: '127.0.0.1' } };
      const answer = await app.fetch(new Request(`http://127.0.0.1${path}`), { incoming });
      return { status: answer.status, text: await answer.text() };
    };
    expect(await get('/')).toEqual({ status: 200, text: 'the page' });
    const tries = [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e%2fsecret.txt',
      '/..%5csecret.txt',
      '//secret.txt',
    ];
    for (const path of tries) expect((await get(path)).text).not.toContain('the secret');
  });

  test('says so if the page is not built', async () => {
    const app = await bareApp(await temporaryFolder());
    const incoming = { headers: { host: '127.0.0.1' } };
    const answer = await app.fetch(new Request('http://127.0.0.1/'), { incoming });
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('not built');
  });
});
