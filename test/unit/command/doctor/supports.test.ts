import { expect, test } from 'vitest';
import { supportsOf } from '../../../../src/command/doctor/supports.js';

const requestsOf = (version: '2.0.73' | '2.1.17' | '2.1.326') =>
  supportsOf(version).find(({ what }) => what === 'requests to the CLI');

test('the newest probed CLI lacks no request, message or hook that an older one has', () => {
  const told = supportsOf('2.1.326').filter(({ what }) => what !== 'flags');
  expect(told.flatMap(({ missing }) => missing)).toEqual([]);
});

test('what an old CLI lacks is named', () => {
  expect(requestsOf('2.0.73')?.missing).toEqual(expect.arrayContaining(['mcp_reconnect', 'get_settings']));
  expect(requestsOf('2.1.17')?.missing).not.toContain('mcp_reconnect');
});

test('the numbers add up', () => {
  for (const { known, total, missing } of supportsOf('2.0.73')) expect(known + missing.length).toBe(total);
});
