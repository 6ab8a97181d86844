// Prompts in Telegram: a bot shows each with buttons, and a press answers it. It needs no public address.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { startConsole } from 'coxswain/console';
import { askQuestion, emulateCli, onUser, question, say, useTool } from 'coxswain/testing';

// #region bot
/** Where prompts come from and go to. Only one chat gets them, and only presses in it count. */
interface BotOptions {
  readonly console: string;
  /** A key of the console; an operator's is enough. */
  readonly key: string;
  readonly telegram?: string;
  readonly token: string;
  readonly chat: number;
  readonly signal: AbortSignal;
}

interface Prompt {
  readonly id: string;
  readonly kind: string;
  readonly headline: string;
  readonly tool: string;
  readonly input: object;
  readonly questions?: readonly { question: string; multiSelect: boolean; options: { label: string }[] }[];
}

/** The words of a button, and what it answers. */
type Button = readonly [words: string, answer: object];
type Message = readonly [words: string, ...buttons: Button[]];

class TelegramBot {
  readonly #options: BotOptions;
  /** The prompts in the chat. */
  readonly #shown = new Map<
    string,
    { path: string; buttons: readonly Button[]; text: string; id?: number }
  >();

  constructor(options: BotOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    await Promise.all([this.#watch(), this.#listen()]);
  }

  /** Looks for prompts whenever something changes on the console. */
  async #watch(): Promise<void> {
    const events = await this.#console('/events');
    await this.#look();
    for await (const _change of events.body ?? []) await this.#look();
  }

  /** Shows new prompts, and takes the buttons from those that are settled. */
  async #look(): Promise<void> {
    const { items } = await read(this.#console('/prompts'));
    for (const { conversation, prompt } of items)
      if (!this.#shown.has(prompt.id)) await this.#show(conversation, prompt);
    const open = new Set(items.map(({ prompt }: { prompt: Prompt }) => prompt.id));
    for (const [prompt, { id, text }] of this.#shown) {
      if (open.has(prompt)) continue;
      this.#shown.delete(prompt);
      await this.#telegram('editMessageText', { message_id: id, text: `${text}\n✓ settled` });
    }
  }

  async #show(conversation: string, prompt: Prompt): Promise<void> {
    const [words, ...buttons] = messageOf(prompt);
    const text = `${words}\n${this.#options.console}/#/s/${conversation}`;
    const path = `/conversations/${conversation}/prompts/${prompt.id}/answer`;
    // Before it is sent: a press may be faster than the response.
    this.#shown.set(prompt.id, { path, buttons, text });
    const rows = buttons.map(([name], at) => [{ text: name, callback_data: `${prompt.id}:${at}` }]);
    const sent = await this.#telegram('sendMessage', { text, reply_markup: { inline_keyboard: rows } });
    this.#shown.set(prompt.id, { path, buttons, text, id: sent.message_id });
  }

  /** Waits for presses, and answers. */
  async #listen(): Promise<void> {
    for (let offset = 0; ; ) {
      const wanted = { offset, timeout: 25, allowed_updates: ['callback_query'] };
      for (const { update_id, callback_query: press } of await this.#telegram('getUpdates', wanted)) {
        offset = update_id + 1;
        const [id = '', at] = String(press.data).split(':');
        const shown = press.message?.chat?.id === this.#options.chat ? this.#shown.get(id) : undefined;
        const answer = shown?.buttons[Number(at)]?.[1];
        const answered = shown && answer && (await read(this.#console(shown.path, answer)));
        const text = answered?.accepted ? 'Answered.' : 'Somebody else has answered, or it is over.';
        await this.#telegram('answerCallbackQuery', { callback_query_id: press.id, text });
      }
    }
  }

  #console(path: string, body?: object): Promise<Response> {
    const { console: origin, key } = this.#options;
    return this.#request(`${origin}/api/v1${path}`, body, { authorization: `Bearer ${key}` });
  }

  async #telegram(method: string, body: object) {
    const { telegram = 'https://api.telegram.org', token, chat } = this.#options;
    return (await read(this.#request(`${telegram}/bot${token}/${method}`, { chat_id: chat, ...body })))
      .result;
  }

  async #request(url: string, body?: object, more: Record<string, string> = {}): Promise<Response> {
    const headers = { 'content-type': 'application/json', ...more };
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(url, { headers, signal: this.#options.signal, ...post });
    // Its URL contains the token of the bot.
    if (!answer.ok) throw new Error(`${new URL(url).host} answered ${answer.status}.`);
    return answer;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of two servers in a short program
const read = async (answer: Promise<Response>): Promise<any> => (await answer).json();

/** What fits into a message of Telegram, with a link. */
const LONGEST = 3_500;

/** The words of a prompt, and its buttons; without any, it is answered on the page. */
function messageOf({ kind, tool, input, headline, questions: [asked, ...more] = [] }: Prompt): Message {
  const call = `${tool}\n${JSON.stringify(input, null, 2)}`;
  // Nobody should allow what they cannot see.
  if (kind === 'permission' && call.length <= LONGEST)
    return [call, ['Allow', { answer: 'allow' }], ['Deny', { answer: 'deny' }]];
  if (asked === undefined || more.length > 0 || asked.multiSelect) return [headline];
  const answer = (label: string) => ({ answer: 'choices', choices: { [asked.question]: label } });
  return [headline, ...asked.options.map(({ label }): Button => [label, answer(label)])];
}
// #endregion

// A stand-in of Telegram's API, in which somebody presses the first button of each message, and a stranger the same.
const CHAT = 4711;
const calls: { method: string; body: { text?: string; chat_id?: number; [more: string]: unknown } }[] = [];
const updates: object[] = [];
const waiting: (() => void)[] = [];
const press = (data: string, chat: number) => {
  const update_id = 100 + calls.length * 10 + updates.length;
  updates.push({ update_id, callback_query: { id: `${update_id}`, data, message: { chat: { id: chat } } } });
  for (const wake of waiting.splice(0)) wake();
};
const telegram = createServer(async (request, response) => {
  // biome-ignore lint/suspicious/noExplicitAny: what a bot sends in a short example
  const body = (await json(request)) as any;
  const method = String(request.url).split('/').at(-1) ?? '';
  if (method === 'getUpdates' && updates.length === 0) await new Promise<void>((wake) => waiting.push(wake));
  if (method !== 'getUpdates') calls.push({ method, body });
  const [button] = body.reply_markup?.inline_keyboard?.flat() ?? [];
  if (method === 'sendMessage' && button !== undefined) {
    press(button.callback_data, 666);
    press(button.callback_data, CHAT);
  }
  const result = method === 'getUpdates' ? updates.splice(0) : { message_id: calls.length };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result }));
});
await new Promise<void>((listening) => telegram.listen(0, '127.0.0.1', () => listening()));

const folder = await mkdtemp(join(tmpdir(), 'telegram-example-'));
const scenario = [
  onUser([
    useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md' }),
    askQuestion([question('Which one?', ['README.md', 'None'])]),
    say('One file.'),
  ]),
];
const server = await startConsole({
  roots: [folder],
  stateFolder: join(folder, 'state'),
  session: { transport: () => emulateCli(scenario).transport },
});
const stop = new AbortController();
const bot = new TelegramBot({
  console: server.origin,
  key: server.token,
  token: '1234:made-up',
  chat: CHAT,
  telegram: `http://127.0.0.1:${(telegram.address() as AddressInfo).port}`,
  signal: stop.signal,
});
const running = bot.run().catch((error: unknown) => {
  if (!stop.signal.aborted) throw error;
});

const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
// biome-ignore lint/suspicious/noExplicitAny: the answers of a server in a short example
const ask = async (path: string, body: object): Promise<any> =>
  (
    await fetch(`${server.origin}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  ).json();
const { id } = await ask('/conversations', { cwd: folder });
await ask(`/conversations/${id}/messages`, { content: 'What is here?' });
const settled = async () =>
  (await fetch(`${server.origin}/api/v1/conversations/${id}/events?until=settled`, { headers })).text();
for (let events = ''; !/One file\./.test(events); ) events = await settled();

stop.abort();
for (const wake of waiting.splice(0)) wake();
await running;
const textsOf = (wanted: string) =>
  calls.filter(({ method }) => method === wanted).map(({ body }) => String(body.text));
const [permission = '', ...others] = textsOf('sendMessage');
assert.match(permission, /^Bash\n\{\n {2}"command": "ls"\n\}\nhttp.*\/#\/s\/[-\w]+$/);
assert.deepEqual(others.length, 1);
assert.match(others[0] ?? '', /^Which one\?\nhttp/);
// The stranger's presses counted for nothing.
assert.deepEqual(textsOf('answerCallbackQuery').slice(0, 2), [
  'Somebody else has answered, or it is over.',
  'Answered.',
]);
assert(calls.every(({ body }) => body.chat_id === CHAT));
console.log(`answered in a chat: ${textsOf('sendMessage').length} prompts`);
telegram.closeAllConnections();
telegram.close();
await server.close();
await rm(folder, { recursive: true });
