import { expect } from 'vitest';
import { startCox } from '../support/cox.js';
import { eachRealCli } from './support/each-real-cli.js';

eachRealCli('coxswain probe reports what is known about the version', async ({ path, version }) => {
  const cox = startCox(['probe', '--cli', path, '--only', 'envelope', '--json']);
  expect(await cox.exitCode).toBe(0);
  const report = JSON.parse(cox.output.out);
  expect(report).toMatchObject({ cli: path, version });
  expect(report.verdicts).toContainEqual({ id: 'envelope:plain-ack', verdict: 'pass' });
});
