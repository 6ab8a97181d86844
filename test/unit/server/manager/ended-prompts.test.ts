import { expect, test } from 'vitest';
import type { AnyPrompt } from '../../../../src/host/session/prompts/open-prompts.js';
import { onUser, type Scenario } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { elicit } from '../../../../src/lab/testing/emulator/steps/asking-steps.js';
import { die } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { echo, emulatedManager, manual } from '../../../support/manager.js';

const always = { times: 'any' } as const;

test('an elicitation ends with its CLI, and that is told', async () => {
  const elicits = [onUser(undefined, [elicit('docs', 'Which one?'), done()])];
  const { manager } = await emulatedManager({ scenarios: [elicits, echo] }, manual);
  const talk = manager.conversation('one');
  const told: string[] = [];
  talk.on('prompt', ({ prompt, state }) => told.push(`${prompt.kind} ${state}`));
  talk.send('x', { resend: false });
  await expect.poll(() => told).toEqual(['elicitation open']);
  await (await talk.wake()).close();
  await expect.poll(() => told).toEqual(['elicitation open', 'elicitation withdrawn']);
  expect(talk.prompts.open).toEqual([]);
});

const asks = [
  onUser(undefined, [useTool('Bash', { command: 'ls' }, { ask: true }), say('made'), done()], always),
];

function allow(prompt: AnyPrompt | undefined): void {
  if (prompt?.kind === 'permission') expect(prompt.allow().accepted).toBe(true);
}

test('a kept prompt is a prompt: the same event, the same list, after a restart too', async () => {
  const { manager, store, talk } = await withKeptPrompt([asks]);
  const [kept] = talk.prompts.open;
  expect(kept).toMatchObject({ kind: 'permission', tool: 'Bash', input: { command: 'ls' } });
  expect(kept?.kind === 'permission' && kept.choices.length).toBe(1);
  expect(talk.prompts.find(String(kept?.id))).toBe(kept);
  await manager.close();
  const next = await emulatedManager({ scenarios: [asks] }, { ...manual, store });
  const told: string[] = [];
  const turn = deferred<unknown>();
  next.manager.on('turn', ({ outcome }) => turn.resolve(outcome));
  next.manager.on('prompt', ({ conversation, prompt, state }) => {
    told.push(`${conversation} ${prompt.kind} ${state}`);
    if (state === 'open' && prompt.kind === 'permission') prompt.allow();
  });
  expect(await turn.promise).toMatchObject({ kind: 'success', text: 'made' });
  expect(told.slice(0, 2)).toEqual(['one permission open', 'one permission answered']);
  expect(next.manager.find('one').prompts.open).toEqual([]);
});

test('a conversation with a kept prompt can be deleted right after a restart', async () => {
  const { manager, store } = await withKeptPrompt([asks]);
  await manager.close();
  const next = await emulatedManager({ scenarios: [asks] }, { ...manual, store });
  const told: string[] = [];
  next.manager.on('prompt', ({ state }) => told.push(state));
  const deleted = next.manager.delete('one');
  await new Promise(setImmediate);
  await deleted;
  expect(told).toEqual([]);
  expect(next.manager.list()).toEqual([]);
});

/** A conversation whose CLI ended with an open prompt. */
async function withKeptPrompt(scenarios: readonly Scenario[]) {
  const emulated = await emulatedManager({ scenarios }, manual, { random: () => 0 });
  const talk = emulated.manager.conversation('one');
  talk.send('x', { resend: false });
  await expect.poll(() => talk.prompts.open.length).toBe(1);
  await (await talk.wake()).close();
  await expect.poll(() => talk.prompts.open.length).toBe(1);
  return { ...emulated, talk };
}

test('a kept prompt is over when the CLI asks about the same call again', async () => {
  const { talk } = await withKeptPrompt([asks]);
  const [kept] = talk.prompts.open;
  const again = talk.send('again');
  await expect.poll(() => kept?.state).toBe('withdrawn');
  expect([kept?.state, kept?.kind === 'permission' && kept.allow().accepted]).toEqual(['withdrawn', false]);
  expect(talk.prompts.open).toHaveLength(1);
  for (const prompt of talk.prompts.open) if (prompt.kind === 'permission') prompt.allow();
  expect(await again.text()).toBe('made');
  expect(talk.prompts.open).toEqual([]);
});

test('the answer to a kept prompt of a failed conversation waits for retry(), across a restart', async () => {
  const dies = [onUser(undefined, [die({ code: 1 })], always)];
  const { manager, store, talk } = await withKeptPrompt([asks, dies]);
  await talk.send('again').outcome;
  expect(talk.state).toBe('failed');
  allow(talk.prompts.open[0]);
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
