// Conversations as MCP tools: another agent opens one, asks it, and answers its prompt.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startConsole } from 'coxswain/console';
import { emulateCli, onUser, say, useTool } from 'coxswain/testing';

const folder = await mkdtemp(join(tmpdir(), 'mcp-example-'));
const scenario = [
  onUser([useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md' }), say('One file.')]),
];
await using server = await startConsole({
  roots: [folder],
  stateFolder: join(folder, 'state'),
  session: { transport: () => emulateCli(scenario).transport },
});

// #region call
// What an MCP client sends when a model uses a tool; most agents do this for you.
const call = async (name: string, args: object) => {
  const answer = await fetch(`${server.origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const [, data = '{}'] = /^data: (.*)$/m.exec(await answer.text()) ?? [];
  return JSON.parse(data).result.structuredContent;
};

const { conversation } = await call('open_conversation', { cwd: folder });
const asked = await call('ask', { conversation, message: 'What is here?' });
const [prompt] = asked.prompts;
console.log(prompt.headline);
await call('answer_prompt', { conversation, prompt: prompt.id, answer: { answer: 'allow' } });
const { text } = await call('watch', { conversation, after: asked.last });
// #endregion

assert.equal(prompt.headline, 'Bash: ls');
assert.equal(text, 'One file.');
await server.close();
await rm(folder, { recursive: true });
