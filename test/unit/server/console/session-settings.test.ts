import { expect, test } from 'vitest';
import {
  settingOf,
  thinkingCapOf,
  withThinkingCap,
} from '../../../../src/server/console/sessions/session-settings.js';

test('a control request is recognised by what it sets, including one that sets nothing', () => {
  expect(settingOf('set_model', { model: 'opus' })).toEqual({ model: 'opus' });
  expect(settingOf('set_model', { model: null })).toEqual({});
  expect(settingOf('set_permission_mode', { mode: 'plan' })).toEqual({ permissionMode: 'plan' });
  expect(settingOf('set_max_thinking_tokens', { max_thinking_tokens: 0 })).toEqual({ maxThinkingTokens: 0 });
  expect(settingOf('set_max_thinking_tokens', {})).toEqual({ maxThinkingTokens: null });
  // A CLI may accept these; a session reopened with them would be refused each time.
  for (const cap of [-1, 1.5, '4000'])
    expect(settingOf('set_max_thinking_tokens', { max_thinking_tokens: cap })).toEqual({
      maxThinkingTokens: null,
    });
  expect(settingOf('mcp_status', { model: 'opus', mode: 'plan' })).toEqual({});
});

test('a thinking limit replaces options about thinking, with which it cannot be combined', () => {
  const options = { model: 'opus', thinking: { type: 'adaptive' } } as const;
  expect(withThinkingCap(options, undefined)).toBe(options);
  expect(withThinkingCap(options, 4_000)).toEqual({ model: 'opus', maxThinkingTokens: 4_000 });
  expect(withThinkingCap({ model: 'opus', maxThinkingTokens: 1 }, null)).toEqual({ model: 'opus' });
});

test.each([
  [{}, undefined],
  [{ maxThinkingTokens: 5 }, 5],
  [{ thinking: { type: 'disabled' } }, 0],
  [{ thinking: { type: 'enabled', budgetTokens: 7 } }, 7],
  [{ thinking: { type: 'enabled' } }, undefined],
  [{ thinking: { type: 'adaptive' } }, undefined],
] as const)('options %j have the cap %s', (options, cap) => {
  expect(thinkingCapOf(options)).toBe(cap);
});
