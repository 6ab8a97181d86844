import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { AskedLaunch } from '../../src/host/cli/options/asked-launch.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';

test('a restarted program resumes the right conversation, in memory', async () => {
  const asked: AskedLaunch[] = [];
  const program = async (resume?: string) => {
    await using session = await openSession({
      transport: (launch) => {
        asked.push(launch);
        return emulateCli([onUser([say('one two three four five')])], { launch }).transport;
      },
      model: 'opus',
      permissionMode: 'plan',
      env: { OWN: 'variable' },
      ...(resume === undefined ? {} : { resume }),
    });
    const pieces: string[] = [];
    for await (const { text } of session.send('go').textDeltas()) pieces.push(text);
    expect(pieces.length).toBeGreaterThan(1);
    return session.id;
  };
  const first = await program();
  expect(await program(first)).toBe(first);
  expect(asked.map(({ resume }) => resume)).toEqual([undefined, first]);
  expect(asked[0]?.sessionId).toBe(first);
  expect(asked[1]?.arguments.join(' ')).toContain(`${first}`);
  expect(asked[0]?.env.OWN).toBe('variable');
});

test('the emulated CLI starts in the mode and with the model that the session asks for', async () => {
  await using session = await openSession({
    transport: (launch) => emulateCli([onUser([say('done')])], { launch }).transport,
    permissionMode: 'plan',
    partialMessages: false,
  });
  const kinds: unknown[] = [];
  for await (const message of session.send('go')) {
    if (message.type === 'system' && message.subtype === 'init') kinds.push(message.permissionMode);
  }
  expect(kinds).toEqual(['plan']);
});
