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
/** What the bot needs: the console and a key for it (an operator's is enough), the bot's token, and your chat. */
interface BotOptions {
  readonly console: string;
  readonly key: string;
  readonly token: string;
  /** Only this chat gets prompts, and only presses in it count. */
  readonly chat: number;
  readonly telegram?: string;
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

/** A prompt in the chat, and what its buttons answer. */
interface Shown {
  message: number;
  readonly text: string;
  readonly path: string;
  readonly answers: readonly object[];
}

/** What fits into a message of Telegram. */
const LONGEST = 3_500;

class TelegramBot {
  readonly #options: BotOptions;
  readonly #shown = new Map<string, Shown>();

  constructor(options: BotOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    await Promise.all([this.#watch(), this.#listen()]);
  }

  /** Looks for prompts whenever something changes on the console. */
  async #watch(): Promise<void> {
    const { console: origin, key, signal } = this.#options;
    const headers = { authorization: `Bearer ${key}` };
    const events = await fetch(`${origin}/api/v1/events`, { headers, signal });
    await this.#look();
    for await (const _change of events.body ?? []) await this.#look();
  }

  /** Shows new prompts, and takes the buttons from those that are settled. */
  async #look(): Promise<void> {
    const items: { conversation: string; prompt: Prompt }[] = (await this.#console('/prompts')).items;
    for (const { conversation, prompt } of items)
      if (!this.#shown.has(prompt.id)) await this.#show(conversation, prompt);
    for (const [id, { message, text }] of this.#shown) {
      if (items.some(({ prompt }) => prompt.id === id)) continue;
      this.#shown.delete(id);
      const settled = { message_id: message, text: `${text}\n✓ settled` };
      await this.#telegram('editMessageText', { chat_id: this.#options.chat, ...settled });
    }
  }

  async #show(conversation: string, prompt: Prompt): Promise<void> {
    const { chat, console: origin } = this.#options;
    const choices = choicesOf(prompt);
    const place =
      prompt.kind === 'permission' || choices.length === 0 ? `\n${origin}/#/s/${conversation}` : '';
    const text = `${wordsOf(prompt)}${place}`;
    const path = `/conversations/${conversation}/prompts/${prompt.id}/answer`;
    const shown: Shown = { message: 0, text, path, answers: choices.map(([, answer]) => answer) };
    // Before it is sent: a press may be faster than the response.
    this.#shown.set(prompt.id, shown);
    const inline_keyboard = choices.map(([words], index) => [
      { text: words, callback_data: `${prompt.id}:${index}` },
    ]);
    const sent = await this.#telegram('sendMessage', {
      chat_id: chat,
      text,
      reply_markup: { inline_keyboard },
    });
    shown.message = sent.message_id;
  }

  /** Waits for presses, and answers. */
  async #listen(): Promise<void> {
    for (let offset = 0; ; ) {
      const wanted = { offset, timeout: 25, allowed_updates: ['callback_query'] };
      for (const { update_id, callback_query: press } of await this.#telegram('getUpdates', wanted)) {
        offset = update_id + 1;
        const [id = '', index] = String(press?.data).split(':');
        const { path, answers } = this.#shown.get(id) ?? {};
        const answer = answers?.[Number(index)];
        const counts = press?.message?.chat?.id === this.#options.chat && path !== undefined && answer;
        const accepted = counts && (await this.#console(path, answer)).accepted;
        const text = accepted ? 'Answered.' : 'Somebody else has answered, or it is over.';
        await this.#telegram('answerCallbackQuery', { callback_query_id: press?.id, text });
      }
    }
  }

  #console(path: string, body?: object) {
    const { console: origin, key } = this.#options;
    return this.#request(`${origin}/api/v1${path}`, body, { authorization: `Bearer ${key}` });
  }

  async #telegram(method: string, body: object) {
    const { telegram = 'https://api.telegram.org', token } = this.#options;
    return (await this.#request(`${telegram}/bot${token}/${method}`, body)).result;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the answers of two servers in a short program
  async #request(url: string, body: object | undefined, more: Record<string, string> = {}): Promise<any> {
    const { signal } = this.#options;
    const headers = { 'content-type': 'application/json', ...more };
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(url, { headers, signal, ...post });
    // Its URL contains the token of the bot.
    if (!answer.ok) throw new Error(`${new URL(url).host} answered ${answer.status}.`);
    return answer.json();
  }
}

function wordsOf({ kind, tool, input, headline }: Prompt): string {
  if (kind !== 'permission') return headline;
  const whole = JSON.stringify(input, null, 2);
  return `${tool}\n${whole.length > LONGEST ? `${whole.slice(0, LONGEST)}… (only a part)` : whole}`;
}

/** The buttons of a prompt, with their answers; without any, it is answered on the page. */
function choicesOf({ kind, input, questions: [asked, ...more] = [] }: Prompt): readonly [string, object][] {
  if (kind === 'permission') {
    const deny: [string, object] = ['Deny', { answer: 'deny' }];
    // Nobody should allow what they cannot see.
    const isWhole = JSON.stringify(input, null, 2).length <= LONGEST;
    return isWhole ? [['Allow', { answer: 'allow' }], deny] : [deny];
  }
  if (asked === undefined || more.length > 0 || asked.multiSelect) return [];
  return asked.options.map(({ label }) => [
    label,
    { answer: 'choices', choices: { [asked.question]: label } },
  ]);
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
assert.deepEqual(others, ['Which one?']);
// The stranger's presses counted for nothing.
assert.deepEqual(textsOf('answerCallbackQuery').slice(0, 2), [
  'Somebody else has answered, or it is over.',
  'Answered.',
]);
assert(calls.every(({ method, body }) => method === 'answerCallbackQuery' || body.chat_id === CHAT));
console.log(`answered in a chat: ${textsOf('sendMessage').length} prompts`);
telegram.closeAllConnections();
telegram.close();
await server.close();
await rm(folder, { recursive: true });
