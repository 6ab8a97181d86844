import { expect, test } from 'vitest';
import { ranCox } from '../support/cox-process.js';

test('coxswain fleet dev without a NATS server says what to install', async () => {
  const { exitCode, err } = await ranCox(['fleet', 'dev', '--demo', '--nats-server', './no-such-server']);
  expect(err).toContain('./no-such-server could not be started. Install nats-server');
  expect(err).toContain('[FLEET_NOT_STARTED]');
  expect(exitCode).not.toBe(0);
});

test.skipIf(process.platform === 'win32')('or that the program given is none', async () => {
  const { exitCode, err } = await ranCox(['fleet', 'dev', '--demo', '--nats-server', '/bin/false']);
  expect(err).toContain('/bin/false ended right after its start (exit code 1)');
  expect(exitCode).not.toBe(0);
});
