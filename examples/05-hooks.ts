// The CLI calls hooks when something happens; a hook that returns "block" stops the tool.
import assert from 'node:assert/strict';
import { type Hooks, openSession } from 'coxswain';
import { emulateCli, onUser, say, useTool } from 'coxswain/testing';

const cli = emulateCli([
  onUser([
    useTool('Bash', { command: 'ls' }, { result: 'src' }),
    useTool('Bash', { command: 'rm -rf /' }, { result: 'never seen' }),
    say('Done.'),
  ]),
]);

// #region hooks
const log: string[] = [];
const hooks: Hooks = {
  PreToolUse: [
    {
      matcher: 'Bash',
      run: ({ tool_input }) => {
        const isDangerous = JSON.stringify(tool_input).includes('rm -rf');
        return isDangerous ? { decision: 'block', reason: 'not here' } : {};
      },
    },
  ],
  PostToolUse: [{ run: ({ tool_name, tool_response }) => void log.push(`${tool_name}: ${tool_response}`) }],
};
// #endregion

await using session = await openSession({ transport: cli.transport, hooks });
assert.equal(await session.send('Tidy up').text(), 'Done.');
assert.deepEqual(log, ['Bash: src']);
cli.assertFinished();
console.log(log.join('\n'));
