import { expect, test } from 'vitest';
import { onUser, type Scenario } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { elicit } from '../../../../src/lab/testing/emulator/steps/asking-steps.js';
import { die } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager } from '../../../support/manager.js';

const always = { times: 'any' } as const;

test('an elicitation ends with its CLI, and that is told', async () => {
  const elicits = [onUser(undefined, [elicit('docs', 'Which one?'), done()])];
  const { manager } = await emulatedManager({ scenarios: [elicits, echo] });
  const talk = manager.conversation('one');
  const told: string[] = [];
  talk.on('prompt', ({ prompt, state }) => told.push(`${prompt.kind} ${state}`));
  talk.send('x', { resend: false });
  await expect.poll(() => told).toEqual(['elicitation open']);
  await (await talk.wake()).close();
  await expect.poll(() => told).toEqual(['elicitation open', 'elicitation withdrawn']);
  expect(talk.keptPrompts).toEqual([]);
});

const asks = [
  onUser(undefined, [useTool('Bash', { command: 'ls' }, { ask: true }), say('made'), done()], always),
];

/** A conversation whose CLI ended with an open prompt. */
async function withKeptPrompt(scenarios: readonly Scenario[]) {
  const emulated = await emulatedManager({ scenarios }, {}, { random: () => 0 });
  const talk = emulated.manager.conversation('one');
  talk.send('x', { resend: false });
  await expect.poll(() => talk.prompts.length).toBe(1);
  await (await talk.wake()).close();
  await expect.poll(() => talk.keptPrompts.length).toBe(1);
  return { ...emulated, talk };
}

test('a kept prompt is over when the CLI asks about the same call again', async () => {
  const { talk } = await withKeptPrompt([asks]);
  const [kept] = talk.keptPrompts;
  const again = talk.send('again');
  await expect.poll(() => talk.prompts.length).toBe(1);
  expect(talk.keptPrompts).toEqual([]);
  expect(() => kept?.allow()).toThrow(expect.objectContaining({ code: 'ANSWER_INVALID' }));
  for (const prompt of talk.prompts) if (prompt.kind === 'permission') prompt.allow();
  expect(await again.text()).toBe('made');
  expect(talk.keptPrompts).toEqual([]);
});

test('the answer to a kept prompt of a failed conversation waits for retry(), across a restart', async () => {
  const dies = [onUser(undefined, [die({ code: 1 })], always)];
  const { manager, store, talk } = await withKeptPrompt([asks, dies]);
  await talk.send('again').outcome;
  expect(talk.state).toBe('failed');
  talk.keptPrompts[0]?.allow();
  await talk.settled();
  expect([talk.state, talk.facts.messages]).toEqual(['failed', 1]);
  await manager.close();
  const next = await emulatedManager({ scenarios: [asks] }, { store });
  const same = next.manager.find('one');
  const settled = deferred<unknown>();
  same.on('turn', ({ outcome }) => settled.resolve(outcome));
  same.retry();
  expect(await settled.promise).toMatchObject({ kind: 'success', text: 'made' });
});
