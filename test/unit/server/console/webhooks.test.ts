import { describe, expect, test } from 'vitest';
import { checkedLookup } from '../../../../src/server/console/webhooks/addresses.js';
import { AnswerKeys } from '../../../../src/server/console/webhooks/answer-keys.js';

describe('a name', () => {
  const lookUp = (name: string, named: readonly string[]) =>
    new Promise((resolve) => {
      checkedLookup(new Set(named))(name, { all: true }, (error, found) => resolve(error ?? found));
    });

  test('that leads to this machine is refused on connection, unless it was allowed', async () => {
    expect(await lookUp('localhost', [])).toMatchObject({ code: 'WEBHOOK_REFUSED' });
    expect(await lookUp('localhost', ['localhost'])).toContainEqual(
      expect.objectContaining({ address: expect.stringMatching(/^127\.|^::1$/) }),
    );
  });
});

describe('a key that answers one prompt', () => {
  test('works once, for an hour, and while the prompt is open', () => {
    let now = 0;
    const keys = new AnswerKeys(() => now);
    const right = { conversation: 'c', prompt: 'p', webhook: 'w' };
    const used = keys.add(right).key;
    expect(keys.take(used)).toMatchObject(right);
    expect(keys.take(used)).toBeUndefined();
    const late = keys.add(right).key;
    now += 3_600_000;
    expect(keys.take(late)).toBeUndefined();
    const settled = keys.add(right).key;
    keys.forget('p');
    expect(keys.take(settled)).toBeUndefined();
  });

  test('is forgotten if there are too many', () => {
    const keys = new AnswerKeys(() => 0);
    const right = { conversation: 'c', prompt: 'p', webhook: 'w' };
    const first = keys.add(right).key;
    for (let count = 0; count < 1_000; count += 1) keys.add(right);
    expect(keys.take(first)).toBeUndefined();
  });
});
