import { expect, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../src/entry/remote/console-client.js';
import type { LogEvent } from '../../src/entry/remote/contract.js';
import type { ReceivedEvent } from '../../src/entry/remote/received-event.js';
import { remoteConversations } from '../../src/server/console/service/remote-conversations.js';
import type { Console } from '../../src/server/console/start-console.js';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';
import { HttpClient } from './http-client.js';

type Answer =
  | { readonly answer: 'allow' }
  | { readonly answer: 'choices'; readonly choices: Readonly<Record<string, string>> };

/** What a caller knows when a turn is over or waits for an answer. */
export interface Said {
  /** The text since the last question or answer of the caller. */
  readonly text: string;
  readonly prompts: readonly { readonly id: string; readonly headline: string }[];
}

/** One way to talk to a conversation of a server, known only by what it can do. */
export interface WayIn {
  readonly open: (cwd: string) => Promise<void>;
  /** Sends a message; resolves when the turn is over or waits for an answer. */
  readonly ask: (message: string) => Promise<Said>;
  readonly answer: (prompt: string, answer: Answer) => Promise<Said>;
  /** Sends a message that is never answered to the end, and interrupts it when it runs. */
  readonly askAndInterrupt: (message: string) => Promise<{ readonly interrupted: boolean }>;
  readonly close: () => Promise<void>;
  readonly reopen: () => Promise<void>;
}

/** A permission, a tool call, a question, an interrupt and a resume, with `spokenConversation` behind the server. */
export async function holdConversation(way: WayIn, cwd: string): Promise<void> {
  await way.open(cwd);
  const asks = await way.ask('What is here?');
  // Editors show the tool as an icon.
  expect(asks.prompts).toMatchObject([{ headline: expect.stringMatching(/^(?:Bash: )?ls$/) }]);
  const allowed = await way.answer(asks.prompts[0]?.id ?? '', { answer: 'allow' });
  expect(allowed).toEqual({ text: 'One file.', prompts: [] });

  const form = await way.ask('Set up a project.');
  expect(form.prompts).toHaveLength(1);
  const choices = { 'Which database?': 'SQLite' };
  const chosen = await way.answer(form.prompts[0]?.id ?? '', { answer: 'choices', choices });
  expect(chosen).toEqual({ text: 'Set up.', prompts: [] });

  expect(await way.askAndInterrupt('Count to a million.')).toMatchObject({ interrupted: true });
  await way.close();
  await way.reopen();
  expect(await way.ask('Are you back?')).toEqual({ text: 'I am back.', prompts: [] });
}

/** The HTTP API with its event stream. */
export function overHttp(server: Pick<Console, 'origin' | 'token' | 'port'>): WayIn {
  const http = new HttpClient(server);
  let at = '';
  let last = 0;
  const done = async (what: string, body: unknown = {}) => {
    const { status, json, text } = await http.ask(what, { body });
    expect(status, text).toBeLessThan(300);
    return json;
  };
  const untilSettled = async (): Promise<Said> => {
    const events: LogEvent[] = [];
    for await (const { id, data } of http.events(`${at}/events?until=settled&partial=false&after=${last}`)) {
      last = id ?? last;
      events.push(eventIn(data));
    }
    const { prompts } = (await http.ask(`GET ${at}`)).json;
    return { text: textOf(events), prompts: prompts as Said['prompts'] };
  };
  const send = (content: string) => done(`POST ${at}/messages`, { content });
  return {
    open: async (cwd) => {
      at = `/conversations/${(await done('POST /conversations', { cwd })).id}`;
    },
    ask: async (message) => {
      await send(message);
      return await untilSettled();
    },
    answer: async (prompt, answer) => {
      expect(await done(`POST ${at}/prompts/${prompt}/answer`, answer)).toMatchObject({ accepted: true });
      return await untilSettled();
    },
    askAndInterrupt: async (message) => {
      await send(message);
      for await (const { id, data } of http.events(`${at}/events?after=${last}`)) {
        last = id ?? last;
        if (textOf([eventIn(data)]) !== '') break;
      }
      const answer = await done(`POST ${at}/interrupt`);
      await untilSettled();
      return answer as { interrupted: boolean };
    },
    close: async () => void (await done(`POST ${at}/close`)),
    reopen: async () => void (await done(`POST ${at}/reopen`)),
  };
}

/** The socket that the page and remote programs use. */
export function overSocket(server: Pick<Console, 'url'>): WayIn {
  const client = new ConsoleClient({ url: server.url });
  onTestFinished(() => client.close());
  const conversations = remoteConversations(client, server);
  const events: LogEvent[] = [];
  let session = '';
  let read = 0;
  const settled = async (): Promise<Said> => {
    const isPause = (event: LogEvent) =>
      event.kind === 'prompt' || (event.kind === 'line' && event.frame?.type === 'result');
    await expect.poll(() => events.slice(read).some(isPause)).toBe(true);
    const text = textOf(events.slice(read));
    read = events.length;
    return { text, prompts: openPrompts(events) };
  };
  const command = <Name extends 'send' | 'answer' | 'interrupt' | 'close' | 'reopen'>(
    name: Name,
    params: Parameters<typeof conversations.command<Name>>[1],
  ) => conversations.command(name, params, { session });
  return {
    open: async (cwd) => {
      await client.listed;
      ({ session } = await conversations.command('open', { cwd }));
      const onEvent = ({ event }: ReceivedEvent) => void events.push(event);
      await conversations.follow(session, 0, { onEvent });
    },
    ask: async (content) => {
      await command('send', { content });
      return await settled();
    },
    answer: async (prompt, answer) => {
      const given = { prompt, answer } as Parameters<typeof command<'answer'>>[1];
      expect(await command('answer', given)).toMatchObject({ accepted: true });
      return await settled();
    },
    askAndInterrupt: async (content) => {
      await command('send', { content });
      await expect.poll(() => textOf(events.slice(read))).not.toBe('');
      const answer = await command('interrupt', {});
      await settled();
      return answer as { interrupted: boolean };
    },
    close: async () => void (await command('close', {})),
    reopen: async () => void (await command('reopen', {})),
  };
}

/** The MCP endpoint, called with plain JSON-RPC. */
export function overMcp({ origin, token }: Pick<Console, 'origin' | 'token'>): WayIn {
  let conversation: unknown;
  const call = async (name: string, input: object): Promise<WireObject> => {
    const params = { name, arguments: { conversation, ...input } };
    const response = await fetch(`${origin}/mcp`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
    });
    const text = await response.text();
    const body = JSON.parse(text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '{}'));
    expect(body.result?.isError ?? false, text).toBe(false);
    return body.result.structuredContent;
  };
  const said = (value: WireObject) => value as unknown as Said & { readonly last: number };
  let last = 0;
  const plain = (value: WireObject): Said => {
    last = said(value).last;
    return { text: said(value).text ?? '', prompts: said(value).prompts };
  };
  return {
    open: async (cwd) => {
      ({ conversation } = await call('open_conversation', { cwd }));
    },
    ask: async (message) => plain(await call('ask', { message })),
    answer: async (prompt, answer) => {
      expect(await call('answer_prompt', { prompt, answer })).toMatchObject({ accepted: true });
      return plain(await call('watch', { after: last }));
    },
    askAndInterrupt: async (message) => {
      await call('ask', { message, timeoutSeconds: 0.01 });
      const running = () => call('watch', { after: last, timeoutSeconds: 0.01 });
      await expect.poll(running).toMatchObject({ state: 'running', text: expect.stringMatching(/./) });
      const answer = await call('interrupt', {});
      // Finished turns are returned at once, whatever the timeout.
      expect(await call('watch', { timeoutSeconds: 600 })).toMatchObject({ state: 'idle', prompts: [] });
      return answer as unknown as { interrupted: boolean };
    },
    close: async () => void (await call('close_conversation', {})),
    reopen: async () => void (await call('reopen_conversation', {})),
  };
}

/** The event in a server-sent one; those about the connection have none. */
function eventIn({ event }: WireObject): LogEvent {
  return (isObject(event) ? event : { kind: 'none' }) as unknown as LogEvent;
}

function openPrompts(events: readonly LogEvent[]): Said['prompts'] {
  const settled = new Set(events.map((event) => event.kind === 'prompt-settled' && event.prompt));
  return events
    .flatMap((event) => (event.kind === 'prompt' ? [event.prompt] : []))
    .filter(({ id }) => !settled.has(id));
}

/** The whole texts that a CLI said. */
function textOf(events: readonly LogEvent[]): string {
  return events
    .flatMap((event) => (event.kind === 'line' && event.frame?.type === 'assistant' ? [event.frame] : []))
    .flatMap(({ message }) => (isObject(message) && Array.isArray(message.content) ? message.content : []))
    .map((block) => (block.type === 'text' ? block.text : ''))
    .join('');
}
