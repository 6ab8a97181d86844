// A conversation over HTTP: any language can open one, answer its prompts and follow its events.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startConsole } from 'coxswain/console';
import { emulateCli, onUser, say, useTool } from 'coxswain/testing';

const folder = await mkdtemp(join(tmpdir(), 'http-example-'));
const scenario = [
  onUser([useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md' }), say('One file.')]),
];
await using server = await startConsole({
  roots: [folder],
  stateFolder: join(folder, 'state'),
  session: { transport: () => emulateCli(scenario).transport },
});

const api = `${server.origin}/api/v1`;
const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
const call = async (method: string, path: string, body?: object) => {
  const answer = await fetch(api + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  assert(answer.ok, `${method} ${path}: ${answer.status}`);
  return answer;
};
// biome-ignore lint/suspicious/noExplicitAny: the answers of a server in a short example
const json = async (method: string, path: string, body?: object): Promise<any> =>
  (await call(method, path, body)).json();

/** The events until the turn is over or a prompt needs an answer. */
const events = async (conversation: string) => {
  const path = `/conversations/${conversation}/events?partial=false&until=settled`;
  const text = await (await call('GET', path)).text();
  return text.split('\n').filter((line) => line.startsWith('data: '));
};

const { id } = await json('POST', '/conversations', { cwd: folder });
await call('POST', `/conversations/${id}/messages`, { content: 'What is here?' });
await events(id);

const { items } = await json('GET', `/conversations/${id}/prompts`);
assert.equal(items[0].headline, 'Bash: ls');
await call('POST', `/conversations/${id}/prompts/${items[0].id}/answer`, { answer: 'allow' });
assert.match((await events(id)).join('\n'), /One file\./);
console.log(`asked and allowed: ${items[0].headline}`);

await server.close();
await rm(folder, { recursive: true });
