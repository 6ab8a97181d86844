import { expect, test } from 'vitest';
import { interruptionEvents } from '../../../../src/server/conversation/interruption.js';

const by = { client: 'c', name: 'test' };
const queued = (uuid: string) => ({ kind: 'queued', uuid, content: uuid, by }) as const;
const prompt = (id: string) =>
  ({ id, kind: 'permission', at: 0, headline: id, tool: 'Bash', input: {}, choices: [] }) as const;

test('what is kept waits again, and everything else is over before the state is told', () => {
  const view = { prompts: [prompt('p-kept'), prompt('p-lost')], queued: ['kept', 'lost'] };
  const events = interruptionEvents(view, {
    kept: ['p-kept', 'kept'],
    why: 'It was stopped.',
    unsettled: [queued('kept'), queued('lost'), queued('ran')],
    outcomeOf: (uuid) => ({ kind: 'cli-ended', error: `about ${uuid}` }),
  });
  expect(events).toEqual([
    { kind: 'prompt-settled', prompt: 'p-lost', how: 'expired' },
    { kind: 'unqueued', uuid: 'lost' },
    { kind: 'end', t: 0, end: { reason: 'failed', error: 'It was stopped.' } },
    queued('kept'),
    { kind: 'settled', uuid: 'lost', outcome: { kind: 'cli-ended', error: 'about lost' } },
    { kind: 'settled', uuid: 'ran', outcome: { kind: 'cli-ended', error: 'about ran' } },
  ]);
});
