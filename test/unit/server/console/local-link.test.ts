import { expect, test, vi } from 'vitest';
import { LocalLink } from '../../../../src/server/console/service/local-link.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';

const log = { first: 1, last: 0, firstRecent: 1, has: async () => true, losses: 0, watch: () => () => {} };

test('a program attaches to a conversation when NATS is back, and is not told meanwhile that it was deleted', async () => {
  const find = vi
    .fn()
    .mockRejectedValueOnce(new CoxswainError('FLEET_NOT_STARTED', 'NATS does not respond.'))
    .mockResolvedValue({ id: 's1', log, viewersChanged: () => {} });
  const { client, removed } = clientOf(find);
  await new Promise<void>((resolve) => {
    client.attach('s1', 0, { onEvent: () => {}, onAttached: () => resolve() });
  });
  expect(removed).toEqual([]);
});

test('a program that attaches to a conversation that does not exist is told that it was deleted', async () => {
  const find = vi.fn().mockRejectedValue(new CoxswainError('SESSION_UNKNOWN', 'There is no such session.'));
  const { client, removed } = clientOf(find);
  client.attach('s1', 0, { onEvent: () => {} });
  await vi.waitFor(() => expect(removed).toEqual(['s1']));
});

function clientOf(find: () => Promise<never>) {
  const client = new LocalLink({ find, command: () => Promise.reject(new Error('no commands here')) });
  const removed: string[] = [];
  client.on('removed', (session) => removed.push(session));
  return { client, removed };
}
