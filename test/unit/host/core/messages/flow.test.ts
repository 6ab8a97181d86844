import { describe, expect, test } from 'vitest';
import { Flow } from '../../../../../src/host/core/messages/flow.js';
import { ManualClock } from '../../../../support/manual-clock.js';

function makeFlow() {
  const clock = new ManualClock();
  const calls: string[] = [];
  const flow = new Flow({
    clock,
    hardLimit: 1000,
    liftAfterMs: 100,
    liftStep: 50,
    onOverflow: (buffered) => calls.push(`overflow ${buffered}`),
  });
  flow.attach({ pause: () => calls.push('pause'), resume: () => calls.push('resume') });
  return { flow, clock, calls };
}

describe('Flow', () => {
  test('pauses while any buffer with a reader is full', () => {
    const { flow, calls } = makeFlow();
    const [a, b] = [{}, {}];
    flow.full(a);
    flow.full(b);
    flow.drained(a);
    expect(calls).toEqual(['pause']);
    flow.drained(b);
    expect(calls).toEqual(['pause', 'resume']);
  });

  test('keeps reading while a host request waits, and pauses again after it', () => {
    const { flow, calls } = makeFlow();
    flow.full({});
    flow.requestBegan();
    expect(calls).toEqual(['pause', 'resume']);
    flow.requestEnded();
    expect(calls).toEqual(['pause', 'resume', 'pause']);
  });

  test('does not pause at all when the buffer fills during a host request', () => {
    const { flow, calls } = makeFlow();
    flow.requestBegan();
    flow.full({});
    expect(calls).toEqual([]);
    flow.requestEnded();
    expect(calls).toEqual(['pause']);
  });

  test('lifts a pause if nothing is read, for one step, then pauses again', () => {
    const { flow, clock, calls } = makeFlow();
    flow.added(100);
    flow.full({});
    clock.advance(100);
    expect(calls).toEqual(['pause', 'resume']);
    flow.added(50);
    expect(calls).toEqual(['pause', 'resume']);
    flow.added(1);
    expect(calls).toEqual(['pause', 'resume', 'pause']);
  });

  test('a reader that makes progress keeps the pause from being lifted', () => {
    const { flow, clock, calls } = makeFlow();
    flow.added(100);
    flow.full({});
    clock.advance(99);
    flow.removed(1);
    clock.advance(99);
    expect(calls).toEqual(['pause']);
    clock.advance(1);
    expect(calls).toEqual(['pause', 'resume']);
  });

  test('reports once when the hard limit is exceeded', () => {
    const { flow, calls } = makeFlow();
    flow.added(1000);
    expect(calls).toEqual([]);
    flow.added(1);
    flow.added(1);
    expect(calls).toEqual(['overflow 1001']);
  });

  test('leaves no timer when it is stopped', () => {
    const { flow, clock } = makeFlow();
    flow.full({});
    flow.stop();
    expect(clock.size).toBe(0);
    expect(flow.paused).toBe(false);
  });
});
