import { EventSchemas } from '@ag-ui/core/schemas';
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai';
import { expect, test } from 'vitest';
import { startEmulatedConsole } from '../support/console.js';
import { serverEvents } from '../support/event-stream.js';
import { HttpClient } from '../support/http-client.js';
import { spokenConversation } from '../support/spoken-conversation.js';

async function opened() {
  const { server, root } = await startEmulatedConsole(spokenConversation);
  const http = new HttpClient(server);
  const { json } = await http.ask('POST /conversations', { body: { cwd: root } });
  const id = String(json.id);
  const events = `${server.origin}/api/v1/conversations/${id}/events`;
  const headers = { authorization: `Bearer ${server.token}` };
  const send = (content: string) => http.ask(`POST /conversations/${id}/messages`, { body: { content } });
  const get = async (query: string) => {
    const response = await fetch(`${events}?${query}`, { headers });
    const data: string[] = [];
    for await (const each of serverEvents(response)) data.push(each.data);
    return { response, data };
  };
  return { id, events, headers, send, get, http };
}

test('the AI SDK reads a turn with its own transport, also one that has ended', async () => {
  const { events, headers, send, get } = await opened();
  await send('Are you back?');
  const transport = new DefaultChatTransport<UIMessage>({
    headers,
    prepareReconnectToStreamRequest: () => ({ api: `${events}?format=ai-sdk`, headers }),
  });
  const read = async () => {
    const stream = await transport.reconnectToStream({ chatId: 'any' });
    if (stream === null) throw new Error('There is no stream.');
    let message: UIMessage | undefined;
    for await (const each of readUIMessageStream({ stream })) message = each;
    return message;
  };
  const live = await read();
  expect(live?.role).toBe('assistant');
  expect(live?.parts).toContainEqual(expect.objectContaining({ type: 'text', state: 'done' }));
  expect(live?.metadata).toMatchObject({ tokens: {} });
  expect(await read()).toEqual(live);
  const { response, data } = await get('format=ai-sdk');
  expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1');
  expect(data.at(-1)).toBe('[DONE]');
});

test.each([
  ['Are you back?', ['RUN_STARTED', 'RUN_FINISHED'], { type: 'RUN_FINISHED', result: 'I am back.' }],
  ['What is here?', ['RUN_STARTED'], { type: 'CUSTOM', name: 'prompt', value: { headline: 'Bash: ls' } }],
])('AG-UI gets a run for a turn, and a prompt as an event of ours: %s', async (content, runs, last) => {
  const { send, get } = await opened();
  await send(content);
  const { data } = await get('format=ag-ui&until=settled');
  const types = data.map((text) => String(EventSchemas.parse(JSON.parse(text)).type));
  expect(types.filter((type) => type.startsWith('RUN_'))).toEqual(runs);
  expect(JSON.parse(data.at(-1) ?? '')).toMatchObject(last);
});

test('another format is refused', async () => {
  const { http, id } = await opened();
  const refused = await http.ask(`GET /conversations/${id}/events?format=sse`);
  expect(refused).toMatchObject({ status: 400, json: { code: 'COMMAND_INVALID' } });
});
