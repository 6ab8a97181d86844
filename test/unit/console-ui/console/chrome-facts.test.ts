import { expect, test } from 'vitest';
import { chromeFact } from '../../../../console-ui/console/panels/chrome-facts.js';
import type { ChromeView } from '../../../../src/entry/remote/contract.js';

const view = (own: Partial<ChromeView>): ChromeView => ({
  installed: null,
  enabled: null,
  connected: null,
  mcpServerStatus: null,
  extensionVersion: null,
  browsers: [],
  reconnect: { how: 'no' },
  ...own,
});

test('what the CLI answered with null is distinguished from what it does not report', () => {
  const answered = view({ installed: false, connected: false });
  expect(chromeFact(answered, 'installed')).toBe('no');
  expect(chromeFact(answered, 'enabled')).toBe('not chosen');
  expect(chromeFact(answered, 'mcpServerStatus')).toBe('none');
  expect(chromeFact(answered, 'extensionVersion')).toBe('none');
  const old = view({ mcpServerStatus: 'connected', connected: true });
  expect(chromeFact(old, 'installed')).toBe('not reported by this CLI');
  expect(chromeFact(old, 'enabled')).toBe('not reported by this CLI');
  expect(chromeFact(old, 'mcpServerStatus')).toBe('connected');
  expect(chromeFact(old, 'extensionVersion')).toBe('unknown');
});
