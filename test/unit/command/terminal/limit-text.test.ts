import { expect, test } from 'vitest';
import { denialText } from '../../../../src/command/run/display.js';
import { closeLimitText, limitsText } from '../../../../src/command/terminal/limit-text.js';

const resetsAt = Date.UTC(2026, 10, 19, 14);
const limits = {
  login: 'default',
  status: 'allowed',
  overage: false,
  at: 0,
  windows: [
    { name: 'five_hour', utilization: 0.934, resetsAt },
    { name: 'seven_day', utilization: 0.2 },
  ],
};

test('people hear of a window that is nearly full', () => {
  const text = 'Usage limit five_hour: 93 % used, resets 2026-11-19 14:00 UTC';
  expect(closeLimitText(limits, resetsAt - 1)).toBe(`${text}.`);
  expect(closeLimitText({ ...limits, overage: true }, resetsAt - 1)).toBe(
    `${text}; usage beyond it is being billed.`,
  );
});

test('and nothing while there is room, or once it has reset', () => {
  expect(closeLimitText(limits, resetsAt)).toBeUndefined();
  expect(closeLimitText(undefined, 0)).toBeUndefined();
});

test('a list has every window', () => {
  expect(limitsText(limits)).toBe(
    'limits of default: five_hour: 93 % used, resets 2026-11-19 14:00 UTC; seven_day: 20 % used',
  );
});

test('a denial says who denied the call, and why', () => {
  const denial = {
    kind: 'denial',
    id: 'd',
    agent: null,
    call: 'c',
    tool: 'Bash',
    reason: 'Not run.',
  } as const;
  expect(denialText({ ...denial, by: 'classifier', why: 'It deletes files.' })).toBe(
    'Bash denied by auto mode: It deletes files.',
  );
  expect(denialText({ ...denial, by: 'rule', why: undefined })).toBe('Bash denied by a rule: Not run.');
  expect(denialText({ ...denial, reason: undefined, by: undefined, why: undefined })).toBe('Bash denied');
});
