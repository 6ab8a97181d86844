// Streaming: text as it is written, whole messages, or the items that people see.
import assert from 'node:assert/strict';
import { openSession } from 'coxswain';
import { MessageFold, UiMessageStream } from 'coxswain/protocol';
import { emulateCli, onUser, say, useTool } from 'coxswain/testing';

const cli = emulateCli(
  [
    onUser([say('One two three.', { chunk: 4 })]),
    onUser([say('First I look.'), useTool('Bash', { command: 'ls' }, { result: 'src' }), say('Now I know.')]),
    onUser([useTool('Bash', { command: 'ls' }, { result: 'src' }), say('One folder.')]),
    onUser([useTool('Bash', { command: 'ls src' }, { result: 'a.ts' }), say('One file.')]),
    onUser([say('Done.')]),
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
assert.deepEqual(shown.splice(0), ['uses Bash', 'One folder.']);

// #region items
const fold = new MessageFold();
for await (const message of session.send('And in it?')) {
  for (const { item, added } of fold.take(message)) {
    if (item.kind === 'text') show(added);
    if (item.kind === 'tool' && item.state === 'running') show(`${item.name} ${JSON.stringify(item.input)}`);
    if (item.kind === 'tool' && item.state === 'done') show(`result: ${String(item.result)}`);
    if (item.kind === 'turn-end') show(`${item.tokens.outputTokens} tokens`);
  }
}
// #endregion
assert.deepEqual(shown.slice(0, 3), ['Bash {"command":"ls src"}', 'result: a.ts', 'One file.']);
shown.length = 0;

// #region front-end
const stream = new UiMessageStream();
for await (const message of session.send('And now?')) {
  for (const chunk of stream.take(message)) show(`data: ${JSON.stringify(chunk)}\n\n`);
}
show('data: [DONE]\n\n');
// #endregion
assert.match(shown.join(''), /"type":"text-delta".*"delta":"Done\.".*"type":"finish".*\[DONE\]/s);
cli.assertFinished();
console.log(shown.join('\n'));
