import { describe, expect, it } from 'vitest';
import { rateLimitEvent } from '../../../../../src/lab/testing/builders/system.js';
import { fullestWindow, planLimitsAfter } from '../../../../../src/wire/protocol/reading/plan-limits.js';

const NOW = Date.UTC(2026, 10, 19);
const soon = NOW / 1000 + 3_600;
const later = NOW / 1000 + 86_400;

const unifiedWindows = {
  five_hour: { utilization: 0.5, resetsAt: soon },
  seven_day: { utilization: 0.7, resetsAt: later },
};

function limitsAfter(...infos: readonly object[]) {
  return infos.reduce<ReturnType<typeof planLimitsAfter>>(
    (before, info) =>
      planLimitsAfter(before, { type: 'rate_limit_event', rate_limit_info: info }, NOW) ?? before,
    undefined,
  );
}

describe('the limits of a plan', () => {
  it('are all windows of a newer CLI', () => {
    expect(limitsAfter({ status: 'allowed', rateLimitType: 'five_hour', unifiedWindows })).toEqual({
      status: 'allowed',
      overage: false,
      at: NOW,
      windows: [
        { name: 'five_hour', utilization: 0.5, resetsAt: soon * 1000 },
        { name: 'seven_day', utilization: 0.7, resetsAt: later * 1000 },
      ],
    });
  });

  it('are the window that an older CLI warns about, beside those that it told of before', () => {
    const weekly = { status: 'allowed_warning', rateLimitType: 'seven_day', utilization: 0.9 };
    const hourly = { ...weekly, rateLimitType: 'five_hour', utilization: 0.8, resetsAt: soon };
    expect(limitsAfter(weekly, hourly)?.windows).toEqual([
      { name: 'seven_day', utilization: 0.9 },
      { name: 'five_hour', utilization: 0.8, resetsAt: soon * 1000 },
    ]);
    const relaxed = { status: 'allowed', rateLimitType: 'five_hour', resetsAt: soon };
    expect(limitsAfter(weekly, hourly, relaxed)?.windows).toEqual([]);
  });

  it('are a full window if a request was rejected, and tell whether more is billed', () => {
    const info = { status: 'rejected', rateLimitType: 'five_hour', isUsingOverage: true };
    expect(limitsAfter(info)).toMatchObject({
      overage: true,
      windows: [{ name: 'five_hour', utilization: 1 }],
    });
  });

  it('are not in other messages, and survive nonsense', () => {
    expect(planLimitsAfter(undefined, { type: 'result' }, NOW)).toBeUndefined();
    expect(limitsAfter({ status: 'allowed', isUsingOverage: false })).toBeUndefined();
    const odd = { status: 1, rateLimitType: 7, unifiedWindows: { a: 3, b: { utilization: 'x' } } };
    expect(limitsAfter(odd)).toEqual({ status: '1', overage: false, at: NOW, windows: [] });
  });
});

describe('the fullest window', () => {
  it('is the one that is used most and has not been reset', () => {
    const limits = limitsAfter({ status: 'allowed', unifiedWindows });
    expect(fullestWindow(limits, NOW)?.name).toBe('seven_day');
    expect(fullestWindow(limits, later * 1000)).toBeUndefined();
    expect(fullestWindow(undefined, NOW)).toBeUndefined();
    expect(fullestWindow(planLimitsAfter(undefined, rateLimitEvent(), NOW), NOW)?.utilization).toBe(0.9);
  });
});
