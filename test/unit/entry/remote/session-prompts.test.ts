import { expect, test } from 'vitest';
import type { PromptAnswer, PromptView } from '../../../../src/entry/remote/contract.js';
import { SessionPrompts } from '../../../../src/entry/remote/session-prompts.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';
import { ManualClock } from '../../../support/manual-clock.js';

const shown = { at: 0, headline: '' };
const KEPT: PromptView = {
  ...shown,
  id: 'kept',
  kind: 'permission',
  tool: 'Bash',
  toolUseId: 'call',
  input: { command: 'ls' },
  choices: [],
};
const BUDGET: PromptView = {
  ...shown,
  id: 'budget',
  kind: 'budget',
  scope: 'total',
  limitUsd: 1,
  spentUsd: 2,
};

test('a prompt of a CLI that ended can be answered while its session waits for a budget without a CLI', async () => {
  const given: [string, PromptAnswer][] = [];
  const prompts = new SessionPrompts({
    clock: new ManualClock(),
    pending: () => Promise.reject(new CoxswainError('SESSION_ENDED', 'The session has no CLI.')),
    answer: (prompt, answer) => void given.push([prompt, answer]),
    onChange: () => {},
  });
  prompts.update({ prompts: [KEPT, BUDGET], state: 'needs-you' });
  await expect.poll(() => prompts.all.open.map(({ id }) => id)).toEqual(['kept']);
  prompts.all.open[0]?.refuse('not now');
  await expect.poll(() => given).toMatchObject([['kept', { answer: 'raw' }]]);
});
