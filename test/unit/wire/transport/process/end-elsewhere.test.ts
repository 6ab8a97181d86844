import { expect, test } from 'vitest';
import { endElsewhere } from '../../../../../src/wire/transport/process/end-elsewhere.js';
import { startChild } from '../../../../../src/wire/transport/process/spawn-lines.js';
import type { Diagnostic } from '../../../../../src/wire/util/diagnostics.js';
import { ManualClock } from '../../../../support/manual-clock.js';

test.each([
  ['rejects', async () => Promise.reject(new Error('The connection is gone.'))],
  [
    'throws',
    () => {
      throw new Error('The connection is gone.');
    },
  ],
])('a session whose spawner %s at the end closes, and a diagnostic says so', async (_how, end) => {
  const diagnostics: Diagnostic[] = [];
  const child = await startChild(
    {
      commandLine: { file: process.execPath, args: ['-e', ''], cwd: process.cwd(), masked: 'node' },
      env: {},
      options: { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) },
      endElsewhere: end,
    },
    {},
  );
  expect(await child.close()).toMatchObject({ reason: 'closed' });
  expect(diagnostics).toMatchObject([{ code: 'CALLBACK_FAILED', callback: 'spawner.end' }]);
  expect(diagnostics[0]?.message).toContain('The connection is gone.');
});

test('an end that hangs is waited for 15 seconds', async () => {
  const clock = new ManualClock();
  const problems: string[] = [];
  const ended = endElsewhere(
    () => new Promise(() => {}),
    (error) => problems.push(String(error)),
    clock,
  );
  await clock.pass(14_999);
  expect(problems).toEqual([]);
  await clock.pass(1);
  await ended;
  expect(problems).toEqual(['Error: It has not ended within 15 seconds.']);
  expect(clock.size).toBe(0);
});
