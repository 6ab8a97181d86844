import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { allowOnce } from '../../src/host/session/hooks/allow-once.js';
import type { Denial } from '../../src/host/session/prompts/denials.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';

const INPUT = { command: 'rm x' };

async function played(version: string, isAllowed: boolean) {
  const ran: unknown[] = [];
  const call = useTool('Bash', INPUT, {
    denied: 'It deletes files.',
    result: (input) => ran.push(input) && 'gone',
  });
  const hooks = allowOnce(() => isAllowed);
  const { transport } = emulateCli([onUser('go', [call, call, call, done()])], {
    version,
  });
  await using session = await openSession({ transport, hooks });
  await session.setPermissionMode('auto');
  const denials: Denial[] = [];
  session.on('denial', (denial) => denials.push(denial));
  await session.send('go').outcome;
  return { ran, denials };
}

test('a call that auto mode denies is reported, and runs once after it was allowed', async () => {
  const { ran, denials } = await played('2.1.326', true);
  expect(ran).toEqual([INPUT]);
  expect(denials).toHaveLength(2);
  expect(denials[0]).toMatchObject({
    tool: 'Bash',
    input: INPUT,
    by: 'classifier',
    reason: 'It deletes files.',
  });
});

test('it stays denied otherwise, and 2.1.112 tells only hooks about it', async () => {
  expect(await played('2.1.326', false)).toMatchObject({ ran: [], denials: [{}, {}, {}] });
  expect(await played('2.1.112', true)).toMatchObject({ ran: [INPUT], denials: [] });
});
