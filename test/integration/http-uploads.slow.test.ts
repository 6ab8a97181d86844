import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startEmulatedConsole } from '../support/console.js';
import { HttpClient } from '../support/http-client.js';
import { spokenConversation } from '../support/spoken-conversation.js';

test('an upload that pauses for longer than ten seconds arrives', async () => {
  const { server, root } = await startEmulatedConsole(spokenConversation);
  const { json } = await new HttpClient(server).ask('POST /conversations', { body: { cwd: root } });
  const body = JSON.stringify({ content: `Are you back? ${'x'.repeat(100_000)}` });
  const upload = request(`${server.origin}/api/v1/conversations/${json.id}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  });
  const answered = once(upload, 'response');
  upload.write(body.slice(0, 50_000));
  // The pause is what is tested: servers of Node check unfinished requests every second.
  await setTimeout(12_000);
  upload.end(body.slice(50_000));
  const [response] = await answered;
  response.resume();
  expect(response.statusCode).toBe(202);
});
