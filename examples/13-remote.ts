// A session whose CLI runs on a console server: hooks, callbacks and tools stay in this program; prompts can be answered elsewhere.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from 'coxswain';
import { startConsole } from 'coxswain/console';
import { ConsoleClient } from 'coxswain/remote';
import { emulateCli, onUser, say, useTool } from 'coxswain/testing';

const folder = await mkdtemp(join(tmpdir(), 'remote-example-'));
const scenario = [
  onUser([useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md' }), say('One file.')]),
];

// #region server
// On one machine. `npx coxswain console` does the same with the CLI that it finds.
await using server = await startConsole({
  roots: [folder],
  stateFolder: join(folder, 'state'),
  session: { transport: () => emulateCli(scenario).transport },
});
// #endregion

// #region session
// In a program, on that machine or elsewhere: an ordinary session whose CLI runs on the server.
await using session = await openSession({
  remote: server.url,
  cwd: folder,
  hooks: { PreToolUse: [{ run: ({ tool_name: tool }) => ({ systemMessage: `about to use ${tool}` }) }] },
  prompts: 'manual',
});
const turn = session.send('What is here?');
// #endregion

// #region client
// In another program: watches all sessions for prompts and answers them.
await using client = new ConsoleClient({ url: server.url, name: 'the bot' });
client.on('prompt', ({ prompt, state }) => {
  if (state === 'open' && prompt.kind === 'permission') prompt.allow();
});
// #endregion

const said = await turn.text();
assert.equal(said, 'One file.');
console.log(said);
await session.close();
await server.close();
await rm(folder, { recursive: true });
