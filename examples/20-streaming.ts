// Streaming: text as it is written, or whole messages, narrowed by their type.
import assert from 'node:assert/strict';
import { openSession } from 'coxswain';
import { emulateCli, onUser, say, useTool } from 'coxswain/testing';

const cli = emulateCli(
  [
    onUser([say('One two three.', { chunk: 4 })]),
    onUser([say('First I look.'), useTool('Bash', { command: 'ls' }, { result: 'src' }), say('Now I know.')]),
    onUser([useTool('Bash', { command: 'ls' }, { result: 'src' }), say('One folder.')]),
  ],
  { partialMessages: true },
);
await using session = await openSession({ transport: cli.transport });
const shown: string[] = [];
const show = (text: string) => shown.push(text);

// #region deltas
for await (const { text } of session.send('Count to three').textDeltas()) show(text);
// #endregion
assert(shown.length > 1);
assert.equal(shown.splice(0).join(''), 'One two three.');

const turn = session.send('Look around');
// #region blocks
let current = 1;
for await (const { text, block } of turn.textDeltas()) {
  show(block === current ? text : `\n${text}`);
  current = block;
}
// #endregion
assert.equal(shown.splice(0).join(''), 'First I look.\nNow I know.');

// #region messages
for await (const message of session.send('What is here?')) {
  if (message.type !== 'assistant') continue;
  for (const block of message.message.content) {
    if (block.type === 'text') show(block.text);
    if (block.type === 'tool_use') show(`uses ${block.name}`);
  }
}
// #endregion
assert.deepEqual(shown, ['uses Bash', 'One folder.']);
cli.assertFinished();
console.log(shown.join('\n'));
