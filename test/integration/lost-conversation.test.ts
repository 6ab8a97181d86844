import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';

const CONVERSATION = '00000000-0000-4000-8000-00000000dead';

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

test('a CLI that still answers while it exits for want of its conversation has not opened', async () => {
  const options = { cli: 'test/fixtures/cli/answers-while-it-exits.mjs', resume: CONVERSATION };
  await expect(openSession(options)).rejects.toMatchObject({ code: 'SESSION_MISSING' });

  const heard: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic) => void heard.push(diagnostic);
  await using fresh = await openSession({ ...options, onMissing: 'fresh', onDiagnostic });
  expect(heard).toMatchObject([{ code: 'CONVERSATION_MISSING', missing: CONVERSATION, sessionId: fresh.id }]);
});
