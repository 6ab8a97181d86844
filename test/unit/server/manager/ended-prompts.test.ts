import { expect, test } from 'vitest';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { elicit } from '../../../../src/lab/testing/emulator/steps/asking-steps.js';
import { done } from '../../../../src/lab/testing/emulator/steps/result-steps.js';
import { echo, emulatedManager } from '../../../support/manager.js';

test('an elicitation ends with its CLI, and that is told', async () => {
  const asks = [onUser(undefined, [elicit('docs', 'Which one?'), done()])];
  const { manager } = await emulatedManager({ scenarios: [asks, echo] });
  const talk = manager.conversation('one');
  const told: string[] = [];
  talk.on('prompt', ({ prompt, state }) => told.push(`${prompt.kind} ${state}`));
  talk.send('x', { resend: false });
  await expect.poll(() => told).toEqual(['elicitation open']);
  await (await talk.wake()).close();
  await expect.poll(() => told).toEqual(['elicitation open', 'elicitation withdrawn']);
  expect(talk.keptPrompts).toEqual([]);
});
