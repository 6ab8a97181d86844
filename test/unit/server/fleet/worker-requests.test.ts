import { expect, test } from 'vitest';
import { notTaken } from '../../../../src/server/fleet/worker/worker-requests.js';
import { CoxswainError } from '../../../../src/wire/util/errors.js';

test('a conversation that an ending worker could not take goes to another one', () => {
  expect(notTaken(new CoxswainError('MANAGER_CLOSED', 'It is closing.'))).toEqual({ ok: false, why: 'full' });
});

test('a conversation that no worker could take fails with the reason', () => {
  expect(notTaken(new Error('broken'))).toEqual({ ok: false, why: 'failed', text: 'broken' });
  expect(notTaken(new CoxswainError('STORE_TOO_NEW', 'newer'))).toMatchObject({ why: 'unable' });
  expect(notTaken(new CoxswainError('FLEET_FENCED', 'other'))).toMatchObject({ why: 'owned' });
});
