// The first program: a question, and the answer as it is written.
import assert from 'node:assert/strict';
import { emulatorProgram } from 'coxswain/testing';

// No key and no network: an emulated CLI stands in. Without this line your own Claude CLI is used.
process.env.CLAUDE_CODE_PATH = emulatorProgram();

// #region first
import { openSession } from 'coxswain';

const session = await openSession({
  onPermission: (prompt) =>
    prompt.tool === 'Bash' ? prompt.allow() : prompt.deny('Only Bash commands are allowed.'),
  stopOnAuthFailure: true, // do not retry a wrong key for minutes
});
const turn = session.send('What is in this folder?');
let current = 1;
for await (const { text, block } of turn.textDeltas()) {
  process.stdout.write(block === current ? text : `\n${text}`); // text after a tool call starts a new line
  current = block;
}
const outcome = await turn.outcome;
console.log(`\n${outcome.kind}`);
await session.close();
// #endregion

assert.equal(outcome.kind, 'success');
