// Permissions in the terminal, one line each; a prompt that the CLI withdraws disappears.
import assert from 'node:assert/strict';
// #region terminal
import { createInterface } from 'node:readline/promises';
import { PassThrough } from 'node:stream';
import { openSession, type PermissionPrompt } from 'coxswain';

interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}
const person: Terminal = { input: process.stdin, output: process.stderr };

async function askInTerminal(prompt: PermissionPrompt, who = person) {
  const terminal = createInterface(who);
  try {
    const what = `${prompt.tool} ${JSON.stringify(prompt.input)}`;
    const offers = prompt.choices.map(({ sentence }, index) => `${index + 1}: yes. ${sentence}`);
    const question = [what, ...offers, 'Allow? [y]es, a number, or why not: '].join('\n');
    const answer = await terminal.question(question, { signal: prompt.signal });
    const remember = prompt.choices[Number(answer) - 1];
    if (answer === 'y' || remember !== undefined) return prompt.allow({ remember });
    return prompt.deny(answer || 'The user said no.');
  } finally {
    terminal.close();
  }
}

// #endregion
import { emulateCli, onUser, say, useTool } from 'coxswain/testing';

const cli = emulateCli([
  onUser([
    useTool('Bash', { command: 'ls' }, { ask: true, expect: { behavior: 'allow' }, result: 'src' }),
    useTool(
      'Bash',
      { command: 'rm -rf src' },
      { ask: true, expect: { behavior: 'deny', message: 'not the sources' } },
    ),
    say('Done.'),
  ]),
]);
const typed = ['y', 'not the sources'];
const screen = new PassThrough();
screen.pipe(process.stdout);

await using session = await openSession({
  transport: cli.transport,
  onPermission: (prompt) => {
    const keyboard = new PassThrough();
    keyboard.end(`${typed.shift()}\n`);
    return askInTerminal(prompt, { input: keyboard, output: screen });
  },
});
assert.equal(await session.send('Tidy up').text(), 'Done.');
cli.assertFinished();
console.log('\nOne was allowed, one was denied.');
