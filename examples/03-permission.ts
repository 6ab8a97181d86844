// Permissions: allow with another input, allow and remember, deny with a reason. Without a callback, everything is denied.
import assert from 'node:assert/strict';
import { openSession, type PermissionPrompt, type PermissionUpdate } from 'coxswain';
import { emulateCli, onUser, say, useTool } from 'coxswain/testing';

const rule: PermissionUpdate = {
  type: 'addRules',
  rules: [{ toolName: 'Read' }],
  behavior: 'allow',
  destination: 'session',
};
const cli = emulateCli([
  onUser([
    useTool(
      'Bash',
      { command: 'rm -rf build' },
      { ask: true, result: ({ command }: Input) => `ran ${command}` },
    ),
    useTool(
      'Read',
      { file_path: 'a.txt' },
      { ask: true, result: 'A', prompt: { permission_suggestions: [rule] } },
    ),
    useTool('Read', { file_path: 'b.txt' }, { ask: true, result: 'B' }),
    useTool('WebFetch', { url: 'http://localhost' }, { ask: true, result: 'never seen' }),
    say('Done.'),
  ]),
]);
type Input = { readonly command?: unknown };
const asked: string[] = [];

// #region permission
function decide(prompt: PermissionPrompt) {
  if (prompt.tool === 'Bash') return prompt.allow({ input: { command: 'echo a dry run' } });
  if (prompt.tool === 'Read') return prompt.allow({ remember: prompt.choices });
  return prompt.deny('There is no network here.');
}
// #endregion

await using session = await openSession({
  transport: cli.transport,
  onPermission: (prompt) => {
    asked.push(prompt.tool);
    return decide(prompt);
  },
});
const results: unknown[] = [];
for await (const message of session.send('Go ahead')) {
  if (message.type === 'user') results.push(JSON.stringify(message.message));
}

assert.deepEqual(asked, ['Bash', 'Read', 'WebFetch']);
assert.match(String(results[0]), /ran echo a dry run/);
assert.match(String(results.at(-1)), /There is no network here/);
cli.assertFinished();
console.log(`asked for ${asked.join(', ')}`);
