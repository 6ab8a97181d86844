import { describe, expect, test } from 'vitest';
import { isInProcess, mcpServerKind, wireConfig } from '../../../../src/host/mcp/server-option.js';

const server = { connect: async () => {} };

describe('a server as passed to the CLI', () => {
  test('always has its name if the host serves it', () => {
    const sdk = { type: 'sdk', name: 'clock' };
    expect(wireConfig('clock', server)).toEqual(sdk);
    expect(wireConfig('clock', () => server)).toEqual(sdk);
    expect(wireConfig('clock', { type: 'sdk', name: 'other', instance: server, timeout: 5 })).toEqual({
      ...sdk,
      timeout: 5,
    });
    expect(wireConfig('clock', { type: 'sdk' })).toEqual(sdk);
  });

  test('is its configuration otherwise, with arguments even if there are none', () => {
    expect(wireConfig('files', { command: 'node' })).toEqual({ command: 'node', args: [] });
    expect(wireConfig('files', { command: 'node', args: ['a'] })).toEqual({ command: 'node', args: ['a'] });
    expect(wireConfig('web', { type: 'http', url: 'http://x' })).toEqual({ type: 'http', url: 'http://x' });
  });
});

test('the host serves server objects, functions, and configurations that say so', () => {
  expect([server, () => server, { type: 'sdk' }].map(isInProcess)).toEqual([true, true, true]);
  expect([{ command: 'node' }, { type: 'http' }, undefined].map(isInProcess)).toEqual([false, false, false]);
});

test('nothing else is a server', () => {
  expect([server, () => server, { command: 'node' }].every(mcpServerKind.accepts)).toBe(true);
  expect([null, 'node', 5, ['node']].some(mcpServerKind.accepts)).toBe(false);
});
