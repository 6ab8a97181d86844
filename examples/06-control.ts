// Control while a conversation runs: the model, the MCP servers, an interrupt.
import assert from 'node:assert/strict';
import { openSession } from 'coxswain';
import { emulateCli, hang, onUser, say } from 'coxswain/testing';

const cli = emulateCli([onUser([say('This takes a while.'), hang()]), onUser([say('Here I am again.')])]);
await using session = await openSession({ transport: cli.transport });

// #region control
await session.setModel('opus');
const { mcpServers } = await session.mcp.status();
const turn = session.send('Count to a million');
for await (const { text } of turn.textDeltas()) {
  console.log(text);
  await session.interrupt();
}
console.log((await turn.outcome).kind);
// #endregion

assert.deepEqual(mcpServers, []);
assert.equal((await turn.outcome).kind, 'interrupted');
assert.equal(await session.send('Still there?').text(), 'Here I am again.');
cli.assertFinished();
