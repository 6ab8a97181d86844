import { expect, test } from 'vitest';
import type { PromptView } from '../../../../src/entry/remote/contract.js';
import { ConversationPrompts } from '../../../../src/server/managers/served/conversation-prompts.js';
import { ManualClock } from '../../../support/manual-clock.js';

const view = {
  id: 'budget-1',
  kind: 'budget',
  at: 0,
  headline: 'spent',
  scope: 'conversation',
  limitUsd: 1,
  spentUsd: 1,
} as const satisfies PromptView;

function promptsThat(answers: boolean[]) {
  const given: unknown[] = [];
  const asked: string[] = [];
  const prompts = new ConversationPrompts({
    name: 'talk',
    clock: new ManualClock(),
    pending: async () => [],
    answer: () => {},
    onChange: () => {},
    onBudget: ({ id }) => asked.push(id),
    decide: async (prompt, answer) => {
      given.push([prompt, answer.answer]);
      return answers.shift() ?? true;
    },
  });
  return { prompts, given, asked };
}

test('a decision that a new owner did not take is given again when it asks about the same message', async () => {
  const { prompts, given, asked } = promptsThat([false, true]);
  prompts.update({ prompts: [view], state: 'needs-you' });
  prompts.budget?.continueOnce();
  await expect.poll(() => given).toEqual([['budget-1', 'once']]);
  prompts.update({ prompts: [], state: 'starting' });
  prompts.update({ prompts: [view], state: 'needs-you' });
  await expect.poll(() => given).toHaveLength(2);
  prompts.update({ prompts: [view], state: 'needs-you' });
  expect([given, asked]).toEqual([
    [
      ['budget-1', 'once'],
      ['budget-1', 'once'],
    ],
    ['budget-1'],
  ]);
});

test('a decision that counted is given once', async () => {
  const { prompts, given } = promptsThat([true]);
  prompts.update({ prompts: [view], state: 'needs-you' });
  prompts.budget?.stop();
  await expect.poll(() => given).toHaveLength(1);
  prompts.update({ prompts: [view], state: 'needs-you' });
  await Promise.resolve();
  expect(given).toHaveLength(1);
});
