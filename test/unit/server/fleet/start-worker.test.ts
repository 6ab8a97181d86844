import { expect, test } from 'vitest';
import { startWorker } from '../../../../src/server/fleet/worker/start-worker.js';

const nats = 'nats://127.0.0.1:9';

test.each([0, 1.5, 121, Number.NaN])('a lease of %s seconds is refused', async (leaseSeconds) => {
  await expect(startWorker({ nats, leaseSeconds })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
});

test('more than the log on disk has room for is refused', async () => {
  const spoolCharacters = 17 * 1024 * 1024;
  await expect(startWorker({ nats, spoolCharacters })).rejects.toMatchObject({ code: 'OPTION_INVALID' });
});
