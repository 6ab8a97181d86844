import { expect, test } from 'vitest';
import { startGateway } from '../../../../src/server/fleet/gateway/start-gateway.js';
import { startWorker } from '../../../../src/server/fleet/worker/start-worker.js';
import { checkFleetManagerOptions } from '../../../../src/server/managers/served/served-manager-options.js';

const nats = 'nats://127.0.0.1:9';

test.each([0, 1.5, 121, Number.NaN])('a lease of %s seconds is refused', async (leaseSeconds) => {
  await expect(startWorker({ nats, leaseSeconds })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
});

test('more than the log on disk has room for is refused', async () => {
  const spoolCharacters = 17 * 1024 * 1024;
  await expect(startWorker({ nats, spoolCharacters })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
});

test('budgets that workers would have to share are refused', async () => {
  const budgets = { conversation: 1, day: 1 };
  const refused = {
    code: 'OPTION_INVALID',
    message:
      '"budgets" does not work on a fleet: give each conversation its own, with "maxBudgetUsd" or setBudget().',
  };
  await expect(startWorker(Object.assign({ nats }, { budgets }))).rejects.toMatchObject(refused);
  await expect(startGateway(Object.assign({ fleet: { nats } }, { budgets }))).rejects.toMatchObject(refused);
  expect(() => checkFleetManagerOptions(Object.assign({ fleet: { nats } }, { budgets }))).toThrow(
    'what others spend counts too; use "conversation"',
  );
});
