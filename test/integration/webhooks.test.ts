import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { die } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, fail } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import type { ConsoleOptions } from '../../src/server/console/start-console.js';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';
import { startEmulatedConsole, temporaryFolder } from '../support/console.js';
import { eventually, inTime } from '../support/eventually.js';
import { HttpClient } from '../support/http-client.js';
import { ManualClock } from '../support/manual-clock.js';
import { spokenConversation } from '../support/spoken-conversation.js';

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly message: { readonly type: string; readonly data: WireObject };
}

/** A third-party server that receives webhooks. */
class Receiver {
  readonly received: Received[] = [];
  readonly #server: Server;
  #statuses: number[] = [];
  #waiting: (() => void)[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const status = this.#statuses.shift() ?? 204;
        response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
        this.received.push({
          headers: request.headers as Record<string, string>,
          body,
          message: JSON.parse(body),
        });
        for (const wake of this.#waiting.splice(0)) wake();
      });
    });
    onTestFinished(() => void this.#server.close());
  }

  async url(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', () => listening()));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** What it answers to the next messages; 204 from then on. */
  willAnswer(...statuses: readonly number[]): void {
    this.#statuses = [...statuses];
  }

  async next(count: number): Promise<readonly Received[]> {
    while (this.received.length < count) await this.#more(`message ${count}`);
    return this.received;
  }

  /** The first message of a type. */
  async told(type: string, fits: (data: WireObject) => boolean = () => true): Promise<Received> {
    for (;;) {
      const found = this.received.find(({ message }) => message.type === type && fits(message.data));
      if (found !== undefined) return found;
      await this.#more(type);
    }
  }

  #more(wanted: string): Promise<void> {
    const more = new Promise<void>((wake) => this.#waiting.push(wake));
    return inTime(more, () => `${wanted} of ${this.received.map(({ message }) => message.type)}`);
  }
}

const named = { webhookHosts: ['127.0.0.1'] };

async function hooked(
  scenario: () => Scenario = spokenConversation,
  options: ConsoleOptions = {},
  asked: WireObject = {},
) {
  const receiver = new Receiver();
  const url = await receiver.url();
  const console = await startEmulatedConsole(scenario, { ...named, ...options });
  const http = new HttpClient(console.server);
  const added = await http.ask('POST /webhooks', { body: { url, ...asked } });
  expect(added.status).toBe(201);
  const { json } = await http.ask('POST /conversations', { body: { cwd: console.root } });
  const at = `/conversations/${json.id}`;
  const say = (content: string) => http.ask(`POST ${at}/messages`, { body: { content } });
  return { ...console, receiver, http, at, id: String(json.id), say, url, webhook: added.json };
}

/** Waits for a state that is not reported. */
async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  let found: Value | undefined;
  await eventually(async () => {
    found = await look();
    return found !== undefined;
  });
  return found as Value;
}

function answerUrlIn({ message: { data } }: Received): string {
  return isObject(data.answer) ? String(data.answer.url) : '';
}

const answerTo = (url: string, answer: WireObject) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer),
  });

describe('a webhook', () => {
  test('gets a prompt, signed as the standard says, and answers it through the URL, once', async () => {
    const { receiver, say: speak, webhook, id } = await hooked();
    await speak('What is here?');
    const [asked] = await receiver.next(1);
    expect(asked?.message).toMatchObject({
      type: 'conversation.needs-you',
      data: { conversation: id, prompt: { headline: 'Bash: ls', input: { command: 'ls' } } },
    });
    const url = answerUrlIn(asked as Received);
    // Invalid or forbidden answers do not use up the key.
    expect((await answerTo(url, { answer: 'nonsense' })).status).toBe(400);
    expect((await answerTo(url, { answer: 'allow', remember: ['0:session'] })).status).toBe(403);
    const [one, two] = await Promise.all([
      answerTo(url, { answer: 'allow' }),
      answerTo(url, { answer: 'deny' }),
    ]);
    expect([one.status, two.status].toSorted()).toEqual([200, 410]);
    expect((await answerTo(url, { answer: 'allow' })).status).toBe(410);
    expect((await answerTo(`${url}x`, { answer: 'allow' })).status).toBe(410);
    const ended = await receiver.told('conversation.turn-ended');
    expect(ended.message.data).toMatchObject({ outcome: expect.any(String), conversation: id });
    const checker = new Webhook(String(webhook.secret));
    for (const { body, headers } of receiver.received) expect(checker.verify(body, headers)).toBeTruthy();
    expect(() => checker.verify(`${ended.body} `, ended.headers)).toThrow();
  });

  test('gets failures and budgets', async () => {
    const scenario = () => [
      onUser(/fail/, [fail('error_during_execution')]),
      onUser(/spend/, [say('Spent.')], { times: 2 }),
      onUser(/die/, [die({ code: 3 })]),
    ];
    const { receiver, say: speak, http, at } = await hooked(scenario);
    await speak('fail');
    await receiver.told('conversation.failed');
    await http.ask(`PUT ${at}/budget`, { body: { usd: 0.000_001 } });
    await speak('spend');
    await receiver.told('conversation.turn-ended');
    await speak('spend more');
    const { message } = await receiver.told('conversation.budget');
    expect(message.data).toMatchObject({ error: expect.stringContaining('is spent'), n: expect.any(Number) });
    const asked = await receiver.told('conversation.needs-you');
    expect(asked.message.data).toMatchObject({ prompt: { kind: 'budget', scope: 'conversation' } });
    expect((await answerTo(answerUrlIn(asked), { answer: 'once' })).status).toBe(200);
    await receiver.told('conversation.turn-ended', ({ n }) => Number(n) > Number(message.data.n));
    await http.ask(`PUT ${at}/budget`, { body: { usd: null } });
    await speak('die');
    const died = await receiver.told('conversation.failed', ({ outcome }) => outcome === 'cli-ended');
    expect(died.message.data.error).toEqual(expect.any(String));
  });

  test('gets a usage limit, and when it ends', async () => {
    const endsAt = Math.floor(Date.now() / 1_000) + 3_600;
    const limit = apiFailure({ error: 'rate_limit', status: 429, text: `limit reached|${endsAt}` });
    const { receiver, say: speak } = await hooked(() => [onUser(undefined, [limit], { times: 'any' })]);
    await speak('go');
    const { message } = await receiver.told('conversation.limit');
    expect(message.data).toMatchObject({
      outcome: 'rate-limited',
      endsAt: new Date(endsAt * 1_000).toISOString(),
    });
  });

  test('for one conversation, or some events, gets nothing else', async () => {
    const {
      receiver,
      http,
      root,
      url,
      say: speak,
    } = await hooked(spokenConversation, {}, { events: ['turn-ended'] });
    const other = await http.ask('POST /conversations', { body: { cwd: root } });
    await http.ask('POST /webhooks', { body: { url, conversation: other.json.id } });
    const at = `/conversations/${other.json.id}`;
    await http.ask(`POST ${at}/messages`, { body: { content: 'What is here?' } });
    const [asked] = await receiver.next(1);
    expect(asked?.message).toMatchObject({
      type: 'conversation.needs-you',
      data: { conversation: other.json.id },
    });
    await speak('Are you back?');
    const [, ended] = await receiver.next(2);
    expect(ended?.message).toMatchObject({ type: 'conversation.turn-ended', data: { text: 'I am back.' } });
    expect((ended as Received).message.data.conversation).not.toBe(other.json.id);
  });

  test('is listed without its secret, and only for owners', async () => {
    const { http, url, webhook, stateFolder } = await hooked();
    const { json, text } = await http.ask('GET /webhooks');
    expect(json.items).toMatchObject([{ id: webhook.id, url }]);
    expect(text).not.toContain(String(webhook.secret));
    const token = new KeyFile(stateFolder).add('hands', 'operator');
    expect((await http.ask('GET /webhooks', { token })).status).toBe(403);
    expect((await http.ask('POST /webhooks', { body: { url }, token })).status).toBe(403);
    expect((await http.ask(`DELETE /webhooks/${webhook.id}`)).status).toBe(204);
    expect((await http.ask(`DELETE /webhooks/${webhook.id}`)).json).toMatchObject({
      code: 'WEBHOOK_UNKNOWN',
    });
  });
});

describe('a message that is not accepted', () => {
  test('is retried later, with the same id', async () => {
    const clock = new ManualClock();
    const { receiver, say: speak } = await hooked(spokenConversation, { clock });
    receiver.willAnswer(500, 302);
    await speak('What is here?');
    await receiver.next(1);
    for (const count of [2, 3])
      await until(async () => {
        clock.advance(5_000);
        return receiver.received.length >= count || undefined;
      });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    expect(receiver.received).toHaveLength(3);
  });

  test('is kept across a server restart', async () => {
    const clock = new ManualClock();
    const { receiver, say: speak, server, stateFolder, root } = await hooked(spokenConversation, { clock });
    receiver.willAnswer(500);
    await speak('What is here?');
    await receiver.next(1);
    await server.close();
    const again = await startEmulatedConsole(spokenConversation, { ...named, stateFolder, roots: [root] });
    const id = receiver.received[0]?.headers['webhook-id'];
    const second = await until(async () =>
      receiver.received.slice(1).find(({ headers }) => headers['webhook-id'] === id),
    );
    // Its prompt was dropped with the server.
    const key = answerUrlIn(second).split('/').at(-1);
    const url = `${again.server.origin}/api/v1/answers/${key}`;
    expect((await answerTo(url, { answer: 'allow' })).status).toBe(410);
  });

  test('is set aside in the end, and can be sent again or forgotten', async () => {
    const { receiver, say: speak, http } = await hooked();
    receiver.willAnswer(410);
    await speak('What is here?');
    await receiver.next(1);
    const dead = await until(async () => {
      const { json } = await http.ask('GET /webhooks/failed');
      return (json.items as { id: string }[])[0];
    });
    expect(dead).toMatchObject({
      type: 'conversation.needs-you',
      attempts: 1,
      error: 'The receiver answered 410.',
    });
    receiver.willAnswer(410);
    expect((await http.ask(`POST /webhooks/failed/${dead.id}/retry`)).status).toBe(204);
    await receiver.next(2);
    await until(async () => ((await http.ask('GET /webhooks/failed')).json.items as object[])[0]);
    expect((await http.ask(`DELETE /webhooks/failed/${dead.id}`)).status).toBe(204);
    expect((await http.ask('GET /webhooks/failed')).json).toEqual({ items: [], next: null });
    expect((await http.ask(`DELETE /webhooks/failed/${dead.id}`)).status).toBe(404);
  });
});

describe('addresses', () => {
  test.each([
    'http://127.0.0.1/',
    'http://localhost:9/',
    'http://[::ffff:127.0.0.1]/',
    'http://2130706433/',
    'http://user:secret@example.com/',
    'ftp://example.com/',
  ])('%s is refused', async (url) => {
    const { server } = await startEmulatedConsole(spokenConversation);
    const refused = await new HttpClient(server).ask('POST /webhooks', { body: { url } });
    expect(refused).toMatchObject({ status: 403, json: { code: 'WEBHOOK_REFUSED' } });
  });

  test('from a hand-written file are checked again before anything is sent', async () => {
    const stateFolder = await temporaryFolder();
    const receiver = new Receiver();
    const url = await receiver.url();
    const secret = `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`;
    const webhook = { id: 'w', url, events: ['needs-you'], secret, createdAt: 1 };
    const { writePrivately } = await import('../../src/server/console/keys/private-file.js');
    writePrivately(join(stateFolder, 'webhooks.json'), JSON.stringify({ webhooks: [webhook] }));
    const { server, root } = await startEmulatedConsole(spokenConversation, { stateFolder });
    const http = new HttpClient(server);
    const { json } = await http.ask('POST /conversations', { body: { cwd: root } });
    await http.ask(`POST /conversations/${json.id}/messages`, { body: { content: 'What is here?' } });
    const dead = await until(
      async () => ((await http.ask('GET /webhooks/failed')).json.items as object[])[0],
    );
    expect(dead).toMatchObject({ error: expect.stringContaining('127.0.0.1') });
    expect(receiver.received).toEqual([]);
  });
});
