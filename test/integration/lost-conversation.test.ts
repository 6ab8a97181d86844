import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';

test('a CLI that was killed before it wrote its conversation is named as the reason', async () => {
  await using session = await openSession({ cli: 'test/fixtures/cli/loses-when-killed.mjs' });
  expect(await session.send('hello').text()).toBe('Aye.');
  process.kill(session.pid ?? 0, 'SIGKILL');
  await expect.poll(() => session.state).toBe('ended');
  await expect(session.reopen()).rejects.toMatchObject({
    code: 'SESSION_MISSING',
    message: expect.stringContaining('killed before it had written the conversation'),
    hint: expect.stringContaining('onMissing'),
  });
});
