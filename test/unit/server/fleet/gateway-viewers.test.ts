import { expect, test } from 'vitest';
import { GatewayViewers, VIEWERS_MS } from '../../../../src/server/fleet/worker/gateway-viewers.js';
import { ManualClock } from '../../../support/manual-clock.js';

test('gateways with viewers count once each, until they have none or go silent', () => {
  const clock = new ManualClock();
  const changes: number[] = [];
  const viewers = new GatewayViewers(clock, (by) => changes.push(by));
  viewers.heard('one', 1);
  viewers.heard('one', 2);
  viewers.heard('two', 1);
  expect(viewers.size).toBe(2);
  viewers.heard('one', 0);
  viewers.heard('one', 0);
  expect(changes).toEqual([1, 1, -1]);
  clock.advance(VIEWERS_MS - 1);
  viewers.heard('two', 1);
  clock.advance(VIEWERS_MS - 1);
  expect(viewers.size).toBe(1);
  clock.advance(1);
  expect(viewers.size).toBe(0);
  expect(changes).toEqual([1, 1, -1, -1]);
});
