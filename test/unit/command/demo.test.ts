import { expect, test } from 'vitest';
import { DEMO_MESSAGES, demoScenario } from '../../../src/command/demo/scenario.js';
import { openSession } from '../../../src/entry/sdk/open-session.js';
import { emulateCli } from '../../../src/lab/testing/emulator/emulate-cli.js';

/** All output of the demo when its prompts are answered like this. */
async function shown(answer: 'allow' | 'deny'): Promise<string> {
  const said: string[] = [];
  await using session = await openSession({
    transport: emulateCli(demoScenario()).transport,
    onPermission: (prompt) => (answer === 'allow' ? prompt.allow() : prompt.deny('no')),
    onQuestion: (prompt) => prompt.answer({ 'Which colour do you like best?': 'Green' }),
    onMessage: (message) => void said.push(JSON.stringify(message)),
  });
  for (const prompt of DEMO_MESSAGES) await session.send(prompt).outcome;
  return said.join('\n');
}

test('the demo lists files if allowed, and nothing after a denial', async () => {
  expect(await shown('allow')).toContain('package.json');
  expect(await shown('deny')).not.toContain('package.json');
});
