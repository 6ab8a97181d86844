import { expect, test } from 'vitest';
import { limitEnd } from '../../../../../src/host/session/turns/outcome.js';

const NOW = Date.parse('2026-11-16T08:44:42Z');

test.each([
  ['the wire has seconds', 'x', { resetsAt: 1_794_822_282 }, '2026-11-16T09:44:42.000Z'],
  ['or milliseconds', 'x', { resetsAt: 1_794_822_282_000 }, '2026-11-16T09:44:42.000Z'],
  ['after a bar', 'Claude AI usage limit reached|1794822282', undefined, '2026-11-16T09:44:42.000Z'],
  ['later today', "You've hit your limit · resets 9:44am (UTC)", undefined, '2026-11-16T09:45:00.000Z'],
  ['tomorrow', "You've hit your limit · resets 8am (UTC)", undefined, '2026-11-17T08:01:00.000Z'],
  ['at noon', 'You’ve hit your session limit · resets 12pm (UTC)', undefined, '2026-11-16T12:01:00.000Z'],
  ['in another zone', 'limit · resets 3:30pm (America/New_York)', undefined, '2026-11-16T20:31:00.000Z'],
  ['on another day', 'limit · resets Nov 19, 9am (Europe/Berlin)', undefined, '2026-11-19T08:01:00.000Z'],
  ['next year', 'limit · resets Jan 2, 10:05am (UTC)', undefined, '2027-01-02T10:06:00.000Z'],
  ['a moment ago', "You've hit your limit · resets 8:42am (UTC)", undefined, '2026-11-16T08:43:00.000Z'],
  ['on a day just past', 'limit · resets Nov 16, 8am (UTC)', undefined, '2026-11-16T08:01:00.000Z'],
])('the end of a limit: %s', (_name, message, limit, end) => {
  expect(limitEnd(message, limit, NOW)?.toISOString()).toBe(end);
});

test('a date of the last days of December is not a year away in January', () => {
  const now = Date.parse('2027-01-01T00:02:00Z');
  const end = limitEnd('limit · resets Dec 31, 11:59pm (UTC)', undefined, now);
  expect(end?.toISOString()).toBe('2027-01-01T00:00:00.000Z');
});

test.each([
  'API Error: Request rejected (429) · Number of requests has exceeded your rate limit.',
  'resets 9am (Nowhere/Atall)',
  'resets soon',
])('nothing is made up if the CLI reports none: %s', (message) => {
  expect(limitEnd(message, { status: 'rejected' }, NOW)).toBeUndefined();
});
