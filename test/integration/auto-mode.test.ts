import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { allowOnce } from '../../src/host/session/hooks/allow-once.js';
import type { Denial } from '../../src/host/session/prompts/denials.js';
import type { PermissionPrompt } from '../../src/host/session/prompts/permission-prompt.js';
import type { PromptAnswer } from '../../src/host/session/prompts/prompt.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';

const INPUT = { command: 'rm x' };

/** What a program does about a call that was denied. */
type Answer = (prompt: PermissionPrompt) => PromptAnswer;

/** Plays the same with prompts about denied calls; returns what ran, and how the turn ended. */
async function asked(version: string, answer: Answer, calls = 3) {
  const ran: unknown[] = [];
  const prompts: PermissionPrompt[] = [];
  const call = useTool('Bash', INPUT, {
    denied: 'It deletes files.',
    result: (input) => ran.push(input) && 'gone',
  });
  const script = [...Array.from({ length: calls }, () => call), done()];
  const { transport } = emulateCli([onUser('go', script)], { version });
  const onPermission = (prompt: PermissionPrompt) => {
    prompts.push(prompt);
    return answer(prompt);
  };
  await using session = await openSession({ transport, onPermission, askWhenDenied: true });
  await session.setPermissionMode('auto');
  const { kind } = await session.send('go').outcome;
  return { ran, prompts, kind };
}

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

test('with "askWhenDenied" a denied call is a prompt, and allowed it runs once', async () => {
  let count = 0;
  const { ran, prompts } = await asked('2.1.326', (prompt) => {
    count += 1;
    return count === 1 ? prompt.allow() : prompt.deny();
  });
  expect(ran).toEqual([INPUT]);
  expect(prompts).toHaveLength(2);
  expect(prompts[0]).toMatchObject({
    kind: 'permission',
    tool: 'Bash',
    input: INPUT,
    wasDenied: true,
    decisionReason: 'It deletes files.',
    choices: [],
  });
});

test('it can run with another input, and a denial can end the turn', async () => {
  const changed = { command: 'ls x' };
  const { ran } = await asked('2.1.326', (prompt) => prompt.allow({ input: changed }));
  expect(ran).toEqual([changed]);
  const { kind } = await asked('2.1.326', (prompt) => prompt.deny('no', { interrupt: true }), 1);
  expect(kind).toBe('interrupted');
});
