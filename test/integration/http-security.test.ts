import { request } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import type { ConsoleOptions } from '../../src/server/console/start-console.js';
import { startEmulatedConsole } from '../support/console.js';
import { HttpClient } from '../support/http-client.js';
import { spokenConversation } from '../support/spoken-conversation.js';

async function opened(options: ConsoleOptions = {}) {
  const console = await startEmulatedConsole(spokenConversation, options);
  const http = new HttpClient(console.server);
  const { json } = await http.ask('POST /conversations', { body: { cwd: console.root } });
  const keyed = { authorization: `Bearer ${console.server.token}` };
  return { ...console, http, at: `/conversations/${json.id}`, keyed };
}

describe('access to the API', () => {
  test('nobody gets in without a key, and no page with its own secret or a cookie', async () => {
    const { http, server } = await opened();
    const login = await fetch(`${server.origin}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: server.token }),
    });
    const { secret } = (await login.json()) as { secret: string };
    for (const headers of [
      { authorization: 'Bearer wrong' },
      { authorization: `Basic ${server.token}` },
      { authorization: `Bearer ${secret}` },
      { cookie: `token=${server.token}` },
      { 'sec-websocket-protocol': `coxswain, coxswain.key.${server.token}` },
    ])
      expect(await http.raw('/conversations', headers as never)).toBe(401);
    const refused = await http.ask('GET /conversations', { token: 'wrong' });
    expect(refused.json).toMatchObject({ status: 401, code: 'KEY_REFUSED' });
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('keys may do what their role allows, and nothing else', async () => {
    const { http, at, root, stateFolder } = await opened();
    const keys = new KeyFile(stateFolder);
    const [watcher, operator] = [keys.add('eyes', 'watcher'), keys.add('hands', 'operator')];
    expect((await http.ask(`GET ${at}`, { token: watcher })).status).toBe(200);
    expect((await http.ask('GET /server', { token: watcher })).json.role).toBe('watcher');
    const message = { content: 'Are you back?' };
    for (const [what, body] of [
      ['POST /conversations', { cwd: root }],
      [`POST ${at}/messages`, message],
      [`POST ${at}/close`, undefined],
      ['GET /transcripts', undefined],
    ] as const)
      expect(await http.ask(what, { body, token: watcher })).toMatchObject({
        status: 403,
        json: { code: 'ROLE_REFUSED' },
      });
    expect((await http.ask(`POST ${at}/messages`, { body: message, token: operator })).status).toBe(202);
    expect((await http.ask(`PUT ${at}/budget`, { body: { usd: 1 }, token: operator })).status).toBe(403);
    const edits = { mode: 'acceptEdits' };
    expect((await http.ask(`PUT ${at}/mode`, { body: edits, token: operator })).status).toBe(403);
    const outside = await http.ask('POST /conversations', { body: { cwd: '/' }, token: operator });
    expect(outside).toMatchObject({ status: 403, json: { code: 'FOLDER_REFUSED' } });
  });

  test('no key resumes a transcript by its path, or a conversation that does not exist', async () => {
    const { http, root, stateFolder, clis } = await opened();
    const token = new KeyFile(stateFolder).add('hands', 'operator');
    const resume = (conversation: string) =>
      http.ask('POST /conversations', { body: { cwd: root, resume: conversation }, token });
    expect(await resume('/any/path.jsonl')).toMatchObject({ status: 403, json: { code: 'FOLDER_REFUSED' } });
    const unknown = await resume('0b0b0b0b-0000-4000-8000-000000000000');
    expect(unknown).toMatchObject({ status: 404, json: { code: 'SESSION_MISSING' } });
    expect(clis).toHaveLength(1);
  });

  test('pages of other sites are refused, whatever host name they use', async () => {
    const { http, keyed, server } = await opened();
    expect(await http.raw('/conversations', { ...keyed, host: 'evil.example' })).toBe(403);
    expect(await http.raw('/conversations', { ...keyed, origin: 'https://evil.example' })).toBe(403);
    expect(await http.raw('/conversations', { ...keyed, origin: 'null' })).toBe(403);
    expect(await http.raw('/conversations', { ...keyed, origin: server.origin })).toBe(200);
    const asked = await http.ask('GET /conversations');
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('pages of an allowed origin get in, with a key', async () => {
    const origin = 'https://tools.example';
    const { http, keyed, at } = await opened({ apiOrigins: [origin] });
    const preflight = { origin, 'access-control-request-method': 'POST' };
    expect(await http.raw('/conversations', preflight, 'OPTIONS')).toBe(204);
    expect(
      await http.raw('/conversations', { ...preflight, origin: 'https://evil.example' }, 'OPTIONS'),
    ).toBe(403);
    expect(await http.raw('/conversations', { origin })).toBe(401);
    expect(await http.raw('/conversations', { ...keyed, origin, host: 'evil.example' })).toBe(403);
    const asked = await http.ask('GET /conversations', { headers: { origin } });
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    const stream = await http.ask(`GET ${at}/events?until=settled`, { headers: { origin } });
    expect(stream.headers.get('access-control-allow-origin')).toBe(origin);
  });

  test('requests per key are limited, and others are not affected', async () => {
    const { http, server, stateFolder } = await opened({ limits: { requests: { perMinute: 1, burst: 3 } } });
    const statuses = [];
    for (let asked = 0; asked < 4; asked += 1) statuses.push((await http.ask('GET /server')).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    const refused = await http.ask('GET /server');
    expect(refused.json).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const token = new KeyFile(stateFolder).add('other', 'watcher');
    expect((await http.ask('GET /server', { token })).status).toBe(200);
    expect(server.port).toBeGreaterThan(0);
  });

  test('300 requests at once over as many connections are answered or refused, never reset', async () => {
    const { http, keyed } = await opened();
    const statuses = await Promise.all(Array.from({ length: 300 }, () => http.raw('/server', keyed)));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(128);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  });

  test('streams are limited by the number of clients', async () => {
    const { http, at } = await opened({ limits: { clients: 1 } });
    for await (const _event of http.events(`${at}/events`)) {
      await expect(http.events(`${at}/events`).next()).rejects.toThrow(/^503/);
      break;
    }
  });
});

describe('an invalid request', () => {
  test('is refused with a problem that says what is wrong', async () => {
    const { http, at } = await opened();
    const bad = await http.ask('POST /conversations', { body: { cwd: 1, other: true } });
    expect(bad).toMatchObject({
      status: 400,
      json: { title: 'Bad Request', errors: [{ pointer: '/cwd' }, { pointer: '' }] },
    });
    expect((await http.ask('POST /conversations', { body: 'no json' })).status).toBe(400);
    const headers = { 'content-type': 'text/plain' };
    expect((await http.ask(`POST ${at}/messages`, { body: '{"content":"x"}', headers })).status).toBe(415);
    expect(await http.ask('GET /nothing')).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
    const method = await http.ask('PUT /conversations');
    expect(method.status).toBe(405);
    expect(method.headers.get('allow')).toBe('GET, POST');
    expect((await http.ask('GET /conversations?cursor=xx')).status).toBe(400);
    expect((await http.ask('GET /conversations?limit=0')).status).toBe(400);
    expect((await http.ask('GET /conversations?what=1')).status).toBe(400);
  });

  test('is not read if it is too long, whatever its declared length', async () => {
    const { http, at, keyed, server } = await opened({ limits: { message: 10_000 } });
    const body = { content: 'x'.repeat(20_000) };
    const long = await http.ask(`POST ${at}/messages`, { body });
    expect(long).toMatchObject({ status: 413, json: { code: 'BODY_TOO_LONG' } });
    const status = await new Promise((resolve) => {
      const headers = { ...keyed, 'content-type': 'application/json' };
      const path = `/api/v1${at}/messages`;
      const asked = request({ host: '127.0.0.1', port: server.port, path, method: 'POST', headers });
      asked.on('response', ({ statusCode }) => {
        resolve(statusCode);
        asked.destroy();
      });
      asked.on('error', () => {});
      for (let piece = 0; piece < 20; piece += 1) asked.write('x'.repeat(1_000));
    });
    expect(status).toBe(413);
    expect((await http.ask(`GET ${at}`)).status).toBe(200);
  });

  test('never breaks the server, whatever it contains', async () => {
    const limits = { requests: { perMinute: 1_000_000, burst: 1_000_000 } };
    const { http, at } = await opened({ limits });
    const routes = [
      'POST /conversations',
      `POST ${at}/messages`,
      `POST ${at}/prompts/x/answer`,
      `POST ${at}/fork`,
      `POST ${at}/interrupt`,
      `POST ${at}/rewind`,
      `POST ${at}/control`,
      `PUT ${at}/model`,
      `PUT ${at}/mcp`,
    ];
    const names = ['cwd', 'content', 'answer', 'choices', 'model', 'servers', 'subtype', 'toString', 'x'];
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constant({ toString: 1, valueOf: null, constructor: {} }),
      fc.constant([{ type: { toString: null } }]),
    );
    const bodies = fc.oneof(
      fc.dictionary(fc.constantFrom(...names), odd).map((body) => JSON.stringify(body)),
      odd.map((body) => JSON.stringify(body)),
      fc.string(),
      fc.constant(`{"content":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
      fc.constant('{"__proto__":{"cwd":"/"},"cwd":{"__proto__":null}}'),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), bodies, async (route, body) => {
        const { status, json } = await http.ask(route, { body });
        expect(json.code).not.toBe('SERVER_FAILED');
        expect(status).not.toBe(500);
      }),
      { numRuns: 300 },
    );
    expect((await http.ask(`GET ${at}`)).status).toBe(200);
  }, 60_000);
});
