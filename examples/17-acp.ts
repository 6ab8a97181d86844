// The editor's side of `coxswain acp`: a session, a permission, and a streamed answer.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { client, ndJsonStream } from '@agentclientprotocol/sdk';
import { emulatorProgram, onUser, say, useTool } from 'coxswain/testing';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'example-')));
const scenario = join(cwd, 'scenario.json');
const asks = useTool('Bash', { command: 'git push' }, { ask: true, result: 'pushed' });
writeFileSync(scenario, JSON.stringify([onUser('Push it.', [asks, say('It is pushed.')])]));
const command = fileURLToPath(new URL('./command.js', import.meta.resolve('coxswain')));
const env = { ...process.env, COXSWAIN_SCENARIO: scenario };
const asked: string[] = [];
const shown: string[] = [];

// #region acp
const agent = spawn(process.execPath, [command, 'acp', '--cli', emulatorProgram()], { cwd, env });
const input = Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>;
const output = Writable.toWeb(agent.stdin) as WritableStream<Uint8Array>;

const editor = client({ name: 'my-editor' })
  .onRequest('session/request_permission', ({ params: { toolCall, options } }) => {
    asked.push(String(toolCall.title));
    const [allow] = options.filter(({ kind }) => kind === 'allow_once');
    return { outcome: { outcome: 'selected', optionId: allow?.optionId ?? '' } };
  })
  .onNotification('session/update', ({ params: { update } }) => {
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
      shown.push(update.content.text);
  });

await editor.connectWith(ndJsonStream(output, input), async (coxswain) => {
  await coxswain.request('initialize', { protocolVersion: 1 });
  const { sessionId } = await coxswain.request('session/new', { cwd, mcpServers: [] });
  const { stopReason } = await coxswain.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text: 'Push it.' }],
  });
  assert.equal(stopReason, 'end_turn');
});
// #endregion

agent.stdin.end();
assert.deepEqual(asked, ['git push']);
assert.equal(shown.join(''), 'It is pushed.');
console.log(shown.join(''));
rmSync(cwd, { recursive: true, force: true });
