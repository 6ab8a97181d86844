// Approvals in a chat: a webhook receives a prompt, and a button answers it through the URL in the message.
import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startConsole } from 'coxswain/console';
import { emulateCli, onUser, say, useTool } from 'coxswain/testing';

const folder = await mkdtemp(join(tmpdir(), 'webhook-example-'));
const scenario = [
  onUser([useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md' }), say('One file.')]),
];
// Webhooks may not use addresses of this machine unless you allow the host.
await using server = await startConsole({
  roots: [folder],
  stateFolder: join(folder, 'state'),
  session: { transport: () => emulateCli(scenario).transport },
  webhookHosts: ['127.0.0.1'],
});

// What the chat tool does: it shows a text with buttons, and calls the bot when somebody presses one.
const shown: string[] = [];
const postToChat = async (message: string, buttons: Record<string, object>) => {
  shown.push(message);
  const press = { method: 'POST', body: JSON.stringify(buttons.Allow) };
  setImmediate(() => void fetch(`${botUrl}/pressed`, press));
};

let secret = '';
// #region bot
/** Whether a message comes from the console: signed, and not older than five minutes. */
const isSigned = (headers: IncomingHttpHeaders, body: string) => {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': sent = '' } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const own = `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`;
  const [one, other] = [Buffer.from(own), Buffer.from(String(sent))];
  const isFresh = Math.abs(Date.now() / 1_000 - Number(at)) < 300;
  return isFresh && one.length === other.length && timingSafeEqual(one, other);
};

const bot = createServer(async (request, response) => {
  const body = await text(request);
  if (request.url === '/hook' && isSigned(request.headers, body)) {
    const { title, prompt, answer } = JSON.parse(body).data;
    // Each button carries its URL and its answer.
    await postToChat(`${title}: ${prompt.headline}?`, {
      Allow: { url: answer.url, answer: { answer: 'allow' } },
      Deny: { url: answer.url, answer: { answer: 'deny', reason: 'Not today.' } },
    });
  } else if (request.url === '/pressed') {
    const { url, answer } = JSON.parse(body);
    const headers = { 'content-type': 'application/json' };
    const answered = await fetch(url, { method: 'POST', headers, body: JSON.stringify(answer) });
    console.log(answered.status === 200 ? 'answered' : 'somebody was faster');
  }
  response.writeHead(204).end();
});
// #endregion
await new Promise<void>((listening) => bot.listen(0, '127.0.0.1', () => listening()));
const botUrl = `http://127.0.0.1:${(bot.address() as AddressInfo).port}`;

const api = `${server.origin}/api/v1`;
const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
// biome-ignore lint/suspicious/noExplicitAny: the answers of a server in a short example
const post = async (path: string, body: object): Promise<any> =>
  (await fetch(api + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();

({ secret } = await post('/webhooks', { url: `${botUrl}/hook`, events: ['needs-you'] }));
const { id } = await post('/conversations', { cwd: folder });
await post(`/conversations/${id}/messages`, { content: 'What is here?' });
const settled = async () =>
  (await fetch(`${api}/conversations/${id}/events?until=settled`, { headers })).text();
for (let events = ''; !/One file\./.test(events); ) events = await settled();

assert.deepEqual(shown, ['What is here?: Bash: ls?']);
await server.close();
bot.close();
await rm(folder, { recursive: true });
