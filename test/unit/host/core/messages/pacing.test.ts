import { describe, expect, test } from 'vitest';
import { Flow } from '../../../../../src/host/core/messages/flow.js';
import { Pacing } from '../../../../../src/host/core/messages/pacing.js';
import { type Deferred, deferred } from '../../../../../src/wire/util/deferred.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { settle } from '../../../../support/settle.js';

function paced() {
  const clock = new ManualClock();
  const did: string[] = [];
  let behind: Deferred<void> | undefined;
  const flow = new Flow({
    clock,
    hardLimit: 1_000,
    liftAfterMs: 5_000,
    liftStep: 1_000,
    onOverflow: () => {},
  });
  flow.attach({ pause: () => did.push('pause'), resume: () => did.push('resume') });
  const pacing = new Pacing(flow, () => behind?.promise);
  const fallBehind = () => {
    behind = deferred();
    return behind;
  };
  return { clock, flow, pacing, did, fallBehind, keepUp: () => (behind = undefined) };
}

describe('a CLI whose output is kept too slowly', () => {
  test('waits until that has caught up', async () => {
    const { pacing, did, fallBehind, keepUp } = paced();
    pacing.received();
    expect(did).toEqual([]);
    const behind = fallBehind();
    pacing.received();
    expect(did).toEqual(['pause']);
    keepUp();
    behind.resolve();
    await settle();
    expect(did).toEqual(['pause', 'resume']);
  });

  test('waits again after one more message, if a pause is lifted to find a control frame', async () => {
    const { clock, pacing, did, fallBehind } = paced();
    fallBehind();
    pacing.received();
    await clock.pass(5_000);
    expect(did).toEqual(['pause', 'resume']);
    pacing.received();
    expect(did).toEqual(['pause', 'resume', 'pause']);
  });

  test('goes on if what it waits for fails, and while a request of the host is open', async () => {
    const { flow, pacing, did, fallBehind, keepUp } = paced();
    const behind = fallBehind();
    pacing.received();
    flow.requestBegan();
    expect(did).toEqual(['pause', 'resume']);
    flow.requestEnded();
    keepUp();
    behind.reject(new Error('away'));
    await settle();
    expect(did).toEqual(['pause', 'resume', 'pause', 'resume']);
  });
});
