import { expect, test } from 'vitest';
import { ConsoleClient } from '../../../../src/entry/remote/console-client.js';

test('a client that is closed before it was connected tells whoever waits for that', async () => {
  const client = new ConsoleClient({ url: 'http://127.0.0.1:9/#token=any' });
  const waits = Promise.allSettled([client.ready, client.listed]);
  await client.close();
  const refused = { status: 'rejected', reason: { code: 'REMOTE_LOST' } };
  expect(await waits).toMatchObject([refused, refused]);
});
