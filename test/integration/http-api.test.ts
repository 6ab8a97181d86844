import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { flood } from '../../src/lab/testing/emulator/steps/fault-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import { DEFAULT_OUTLET_LIMITS } from '../../src/server/console/socket/outlet.js';
import { isObject } from '../../src/wire/protocol/frames.js';
import { asKilled, startEmulatedConsole } from '../support/console.js';
import { HttpClient } from '../support/http-client.js';
import { ManualClock } from '../support/manual-clock.js';
import { spokenConversation } from '../support/spoken-conversation.js';

async function opened(...given: Parameters<typeof startEmulatedConsole> | []) {
  const console = await startEmulatedConsole(given[0] ?? spokenConversation, given[1]);
  const http = new HttpClient(console.server);
  const { status, json } = await http.ask('POST /conversations', { body: { cwd: console.root } });
  expect(status).toBe(201);
  const at = `/conversations/${json.id}`;
  return { ...console, http, id: String(json.id), at };
}

/** What all files of a folder contain. */
async function textsIn(folder: string): Promise<string> {
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join();
}

/** All numbers of a stream that ends. */
async function numbersOf(
  http: HttpClient,
  path: string,
  headers: Record<string, string> = {},
): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { id } of http.events(path, { headers })) if (id !== undefined) numbers.push(id);
  return numbers;
}

/** The first numbers of a stream, which is then closed. */
async function firstNumbers(events: ReturnType<HttpClient['events']>, count: number): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { id } of events) {
    if (id !== undefined) numbers.push(id);
    if (numbers.length === count) break;
  }
  return numbers;
}

describe('conversations over HTTP', () => {
  test('are opened, listed in pages, read, forked, closed and removed', async () => {
    const { http, root, id, at, clis } = await opened();
    const second = await http.ask('POST /conversations', { body: { cwd: root, title: 'Second' } });
    const forked = await http.ask(`POST ${at}/fork`, { body: { title: 'Copy' } });
    expect(forked).toMatchObject({ status: 201, json: { title: 'Copy', state: 'idle' } });
    expect(forked.json.id).not.toBe(id);
    expect(clis).toHaveLength(3);
    const seen: unknown[] = [];
    let next = '';
    for (let pages = 0; next !== 'null'; pages += 1) {
      expect(pages).toBeLessThan(4);
      const { json } = await http.ask(`GET /conversations?limit=1${next && `&cursor=${next}`}`);
      seen.push(...(json.items as { id: string }[]).map((each) => each.id));
      next = String(json.next);
    }
    expect(new Set(seen)).toEqual(new Set([id, second.json.id, forked.json.id]));
    expect(seen).toHaveLength(3);
    expect(await http.ask(`DELETE ${at}`)).toMatchObject({ status: 400, json: { code: 'COMMAND_INVALID' } });
    expect(await http.ask(`POST ${at}/close`)).toMatchObject({ status: 200, json: { state: 'ended' } });
    expect(await http.ask(`DELETE ${at}`)).toMatchObject({ status: 204, text: '' });
    expect(await http.ask(`GET ${at}`)).toMatchObject({ status: 404, json: { code: 'SESSION_UNKNOWN' } });
  });

  test('can be changed: title, model, mode, thinking, budget, MCP servers', async () => {
    const { http, at } = await opened();
    expect((await http.ask(`PUT ${at}/title`, { body: { title: 'New' } })).status).toBe(200);
    const marks = { pinned: true, tags: ['shed'] };
    expect((await http.ask(`PUT ${at}/marks`, { body: marks })).status).toBe(200);
    expect((await http.ask(`GET ${at}`)).json).toMatchObject(marks);
    expect((await http.ask(`PUT ${at}/model`, { body: { model: 'opus' } })).status).toBe(200);
    expect((await http.ask(`PUT ${at}/mode`, { body: { mode: 'plan' } })).status).toBe(200);
    expect((await http.ask(`PUT ${at}/thinking`, { body: { tokens: 1_000 } })).status).toBe(200);
    expect((await http.ask(`PUT ${at}/budget`, { body: { usd: 3 } })).status).toBe(200);
    expect((await http.ask(`GET ${at}`)).json).toMatchObject({
      title: 'New',
      model: 'opus',
      permissionMode: 'plan',
      maxThinkingTokens: 1_000,
      maxBudgetUsd: 3,
    });
    expect((await http.ask(`GET ${at}/mcp`)).json).toMatchObject({ servers: [] });
    expect((await http.ask(`GET ${at}/mcp/tools`)).json).toEqual({ tools: [] });
    expect((await http.ask(`POST ${at}/mcp/none/reconnect`)).json).toMatchObject({
      code: 'MCP_SERVER_UNKNOWN',
    });
    expect((await http.ask(`GET ${at}/usage`)).json).toMatchObject({ costUsd: 0, maxBudgetUsd: 3 });
    expect((await http.ask('GET /usage')).json).toMatchObject({ costUsd: 0 });
    expect((await http.ask(`GET ${at}/info`)).json).toMatchObject({ supports: {} });
    expect((await http.ask('GET /server')).json).toMatchObject({ role: 'owner', key: 'owner' });
    expect((await http.ask('GET /transcripts')).json).toEqual({ items: [], next: null });
    expect((await http.ask('GET /folders')).json).toMatchObject({ folders: [{}] });
    const bypass = await http.ask(`PUT ${at}/mode`, { body: { mode: 'bypassPermissions' } });
    expect(bypass).toMatchObject({ status: 403, json: { code: 'BYPASS_REFUSED' } });
  });

  test('show their prompts to everybody, and only the first answer counts', async () => {
    const { http, at, id } = await opened();
    await http.ask(`POST ${at}/messages`, { body: { content: 'What is here?' } });
    await numbersOf(http, `${at}/events?until=settled`);
    const { json } = await http.ask('GET /prompts');
    expect(json).toMatchObject({
      items: [{ conversation: id, prompt: { headline: 'Bash: ls' } }],
      next: null,
    });
    const [{ prompt }] = json.items as [{ prompt: { id: string } }];
    const answer = { body: { answer: 'deny', reason: 'no' } };
    const first = await http.ask(`POST ${at}/prompts/${prompt.id}/answer`, answer);
    expect(first.json).toMatchObject({ accepted: true, by: { name: 'HTTP', key: 'owner' } });
    const second = await http.ask(`POST ${at}/prompts/${prompt.id}/answer`, answer);
    expect(second.json).toMatchObject({ accepted: false, by: { key: 'owner' } });
  });
});

describe('events over HTTP', () => {
  test('continue after Last-Event-ID without loss, wherever the connection breaks', async () => {
    const { http, at } = await opened();
    await http.ask(`POST ${at}/messages`, { body: { content: 'Are you back?' } });
    const whole = await numbersOf(http, `${at}/events?until=settled`);
    expect(whole).toEqual(whole.map((_, index) => index + 1));
    const seen: number[] = [];
    while (seen.length < whole.length) {
      const last = seen.at(-1);
      const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': String(last) };
      const wanted = Math.min(3, whole.length - seen.length);
      seen.push(...(await firstNumbers(http.events(`${at}/events`, { headers }), wanted)));
    }
    expect(seen).toEqual(whole);
  });

  test('leave out partial messages if requested, and start where requested', async () => {
    const { http, at } = await opened();
    await http.ask(`POST ${at}/messages`, { body: { content: 'Are you back?' } });
    const whole = await numbersOf(http, `${at}/events?until=settled`);
    const less = await numbersOf(http, `${at}/events?until=settled&partial=false`);
    expect(less.length).toBeLessThan(whole.length);
    expect(await numbersOf(http, `${at}/events?until=settled&after=5`)).toEqual(whole.slice(5));
    expect(await numbersOf(http, `${at}/events?until=settled&after=-1`)).toEqual([]);
    await expect(numbersOf(http, `${at}/events`, { 'last-event-id': 'x' })).rejects.toThrow(/^400/);
  });

  test('of all conversations report changes', async () => {
    const { http, at, id } = await opened();
    const names: string[] = [];
    for await (const { name, data } of http.events('/events')) {
      names.push(name);
      if (names.length === 1) await http.ask(`POST ${at}/close`);
      const ended = isObject(data.session) && data.session.state === 'ended';
      if (ended && name === 'session') await http.ask(`DELETE ${at}`);
      if (name === 'session-removed') {
        expect(data.session).toBe(id);
        break;
      }
    }
    expect(names[0]).toBe('session');
  });

  test('end when the key is revoked', async () => {
    const { http, at, stateFolder } = await opened();
    const keys = new KeyFile(stateFolder);
    const token = keys.add('guest', 'watcher');
    let removed = false;
    for await (const _event of http.events(`${at}/events`, { token })) {
      if (!removed) keys.remove('guest');
      removed = true;
    }
    expect(removed).toBe(true);
    expect((await http.ask(`GET ${at}`, { token })).status).toBe(401);
  });

  test('cost the server nothing if nobody reads, and the reader is dropped', async () => {
    const clock = new ManualClock();
    const patienceMs = 6_000;
    const scenario = () => [onUser([flood(2_000, 10_000), say('That was all.')])];
    const outlet = { ...DEFAULT_OUTLET_LIMITS, highWater: 100_000, patienceMs };
    const { http, at, server } = await opened(scenario, { clock, limits: { outlet } });
    const slow = connect(server.port, '127.0.0.1');
    onTestFinished(() => void slow.destroy());
    slow.write(
      `GET /api/v1${at}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${server.token}\r\n\r\n`,
    );
    await once(slow, 'data');
    slow.pause();
    await http.ask(`POST ${at}/messages`, { body: { content: 'go' } });
    const whole = await numbersOf(http, `${at}/events?until=settled`);
    expect(whole.at(-1)).toBeGreaterThan(2_000);
    // It read until its buffers were full, and nothing since.
    clock.advance(2 * patienceMs);
    slow.resume();
    await once(slow, 'close');
  });
});

describe('a repeated request', () => {
  test('takes effect once, and gets the same answer', async () => {
    const { http, at, clis } = await opened();
    const again = { body: { content: 'Are you back?' }, headers: { 'idempotency-key': 'once' } };
    const [one, two] = await Promise.all([
      http.ask(`POST ${at}/messages`, again),
      http.ask(`POST ${at}/messages`, again),
    ]);
    expect(one.json).toEqual(two.json);
    await numbersOf(http, `${at}/events?until=settled`);
    expect((await http.ask(`POST ${at}/messages`, again)).json).toEqual(one.json);
    expect(clis[0]?.received.filter(({ type }) => type === 'user')).toHaveLength(1);
  });

  test('is settled as lost if the server was killed in between: the CLI has the message already', async () => {
    const { http, at, id, root, stateFolder } = await opened();
    const token = new KeyFile(stateFolder).add('bot', 'operator');
    const again = { body: { content: 'Count' }, headers: { 'idempotency-key': 'once' }, token };
    const first = await http.ask(`POST ${at}/messages`, again);
    const { uuid } = first.json;
    await expect.poll(() => textsIn(join(stateFolder, 'sessions', id))).toContain('1, 2, 3');
    const killed = { stateFolder: await asKilled(stateFolder), roots: [root] };
    const after = await startEmulatedConsole(spokenConversation, killed);
    const back = new HttpClient(after.server);
    expect((await back.ask(`POST ${at}/reopen`)).status).toBe(200);
    expect(await back.ask(`POST ${at}/messages`, again)).toMatchObject({ status: 202, json: { uuid } });
    expect((await back.ask(`GET ${at}`)).json).toMatchObject({ state: 'idle', queued: [] });
    const ends = [];
    for await (const { data } of back.events(`${at}/events?until=settled`))
      if (isObject(data.event) && data.event.kind === 'settled') ends.push(data.event);
    const lost = { uuid, outcome: { kind: 'cli-ended' } };
    expect(ends).toMatchObject([lost, lost]);
    const next = { body: { content: 'Are you back?' }, headers: { 'idempotency-key': 'twice' }, token };
    expect((await back.ask(`POST ${at}/messages`, next)).status).toBe(202);
    await numbersOf(back, `${at}/events?until=settled`);
    expect(after.clis[0]?.received.filter(({ type }) => type === 'user')).toHaveLength(1);
  });

  test('opens only one conversation', async () => {
    const { http, root, clis } = await opened();
    const again = { body: { cwd: root }, headers: { 'idempotency-key': randomUUID() } };
    const one = await http.ask('POST /conversations', again);
    const two = await http.ask('POST /conversations', again);
    expect(two.json.id).toBe(one.json.id);
    expect(clis).toHaveLength(2);
  });

  test('is refused with another body, and keys are separate per caller', async () => {
    const { http, at, stateFolder } = await opened();
    const headers = { 'idempotency-key': 'once' };
    const one = await http.ask(`POST ${at}/messages`, { body: { content: 'Are you back?' }, headers });
    const other = await http.ask(`POST ${at}/messages`, { body: { content: 'Count' }, headers });
    expect(other).toMatchObject({ status: 422, json: { code: 'COMMAND_INVALID' } });
    const token = new KeyFile(stateFolder).add('second', 'operator');
    const body = { content: 'Are you back?' };
    const theirs = await http.ask(`POST ${at}/messages`, { body, headers, token });
    expect(theirs.status).toBe(202);
    expect(theirs.json.uuid).not.toBe(one.json.uuid);
    const long = { 'idempotency-key': 'x'.repeat(256) };
    expect((await http.ask(`POST ${at}/messages`, { body, headers: long })).status).toBe(400);
  });
});
