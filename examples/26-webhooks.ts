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
import { askQuestion, emulateCli, onUser, question, say, useTool } from 'coxswain/testing';

const folder = await mkdtemp(join(tmpdir(), 'webhook-example-'));
const longCommand = `echo ${'x'.repeat(5_000)}`;
const scenario = [
  onUser([
    useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md' }),
    useTool('Bash', { command: longCommand }, { ask: true }),
    askQuestion([question('Which one?', ['README.md', 'None'])]),
    say('One file.'),
  ]),
];
// Webhooks may not use addresses of this machine unless you allow the host.
await using server = await startConsole({
  roots: [folder],
  stateFolder: join(folder, 'state'),
  session: { transport: () => emulateCli(scenario).transport },
  webhookHosts: ['127.0.0.1'],
});

// What the chat tool does: it shows a text with buttons, and calls the bot when somebody presses one.
const posted: string[] = [];
const postToChat = async (message: string, buttons: Record<string, object> = {}) => {
  posted.push(message);
  if (Object.keys(buttons).length === 0) return answerOnThePage();
  const press = { method: 'POST', body: JSON.stringify(buttons.Allow ?? buttons.Deny) };
  setImmediate(() => void fetch(`${botUrl}/pressed`, press));
};

// What somebody does who follows the link.
const answerOnThePage = async () => {
  const of = `${api}/conversations/${id}/prompts`;
  const { items } = (await (await fetch(of, { headers })).json()) as { items: { id: string }[] };
  await post(`/conversations/${id}/prompts/${items[0]?.id}/answer`, {
    answer: 'choices',
    choices: { 'Which one?': 'README.md' },
  });
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

/** What a message about a prompt contains; a permission also has its tool and the tool's input. */
interface NeedsYou {
  readonly conversation: string;
  readonly title: string;
  readonly prompt: { kind: string; headline: string; tool?: string; input?: object; inputLeftOut?: boolean };
  readonly answer: { readonly url: string };
}

/** What fits into a message of the chat tool. */
const LONGEST = 3_000;

/** Posts a prompt with the buttons that can answer it, and a link for everything else. */
const postPrompt = async ({ conversation, title, prompt, answer }: NeedsYou) => {
  const page = new URL(`/#/s/${conversation}`, answer.url);
  // Questions, plans, forms and budgets have answers of their own.
  if (prompt.kind !== 'permission') return postToChat(`${title}: ${prompt.headline}\nAnswer here: ${page}`);
  // The headline is one line, and may be cut. Nobody should allow what they cannot see.
  const input = JSON.stringify(prompt.input, null, 2);
  const isWhole = input.length <= LONGEST && !prompt.inputLeftOut;
  const shown = isWhole ? input : `${input.slice(0, LONGEST)}…\nThis is only a part. Answer here: ${page}`;
  // Each button carries its URL and its answer.
  const allow = { url: answer.url, answer: { answer: 'allow' } };
  const deny = { url: answer.url, answer: { answer: 'deny', reason: 'Not today.' } };
  return postToChat(`${title}: ${prompt.tool}\n${shown}`, {
    ...(isWhole ? { Allow: allow } : {}),
    Deny: deny,
  });
};

const bot = createServer(async (request, response) => {
  const body = await text(request);
  if (request.url === '/hook' && isSigned(request.headers, body)) {
    await postPrompt(JSON.parse(body).data);
  } else if (request.url === '/pressed') {
    const { url, answer } = JSON.parse(body);
    const headers = { 'content-type': 'application/json' };
    const answered = await fetch(url, { method: 'POST', headers, body: JSON.stringify(answer) });
    console.log(answered.ok ? 'answered' : await answered.text());
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

// A long command was not shown completely, so it could not be allowed.
const [short = '', long = '', asked = '', ...others] = posted;
assert.equal(short, 'What is here?: Bash\n{\n  "command": "ls"\n}');
assert.match(long, /…\nThis is only a part\. Answer here: http.*\/#\/s\/[-\w]+$/);
assert.match(asked, /^What is here\?: Which one\?\nAnswer here: http.*\/#\/s\/[-\w]+$/);
assert.deepEqual(others, []);
await server.close();
bot.close();
await rm(folder, { recursive: true });
