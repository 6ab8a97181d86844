// A conversation: text as it comes, a permission, a question, and how it ended.
import assert from 'node:assert/strict';
import { emulatorProgram } from 'coxswain/testing';

// No key and no network: an emulated CLI stands in. Without this line your own Claude CLI is used.
process.env.CLAUDE_CODE_PATH = emulatorProgram();

// #region conversation
import { openSession } from 'coxswain';

await using session = await openSession({
  cwd: process.cwd(),
  model: 'sonnet',
  onPermission: (prompt) => (prompt.tool === 'Bash' ? prompt.allow() : prompt.deny('Only Bash is allowed.')),
  onQuestion: (prompt) => prompt.answer({ 'Which colour do you like best?': 'Green' }),
});
const turn = session.send('What is in this folder?');
let current = 1;
for await (const { text, block } of turn.textDeltas()) {
  process.stdout.write(block === current ? text : `\n${text}`); // each block on its own line
  current = block;
}
const outcome = await turn.outcome;
console.log(`\n${outcome.kind}, ${outcome.usage?.costUsd.toFixed(4)} USD`);
// #endregion

assert.equal(outcome.kind, 'success');
