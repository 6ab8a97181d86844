import { describe, expect, test } from 'vitest';
import { type WaitForServers, waitToOpen } from '../../../../../src/host/session/servers/wait-for-servers.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';
import { ManualClock } from '../../../../support/manual-clock.js';
import { settle } from '../../../../support/settle.js';

const cli = { commandLine: 'claude --flag', stderrTail: () => 'a warning' };

function waiting(wanted: WaitForServers, answers: readonly (readonly WireObject[])[]) {
  const clock = new ManualClock();
  let asked = 0;
  const askStatus = async (): Promise<WireObject> => {
    const mcpServers = answers[Math.min(asked, answers.length - 1)];
    asked += 1;
    return { mcpServers };
  };
  const done = waitToOpen(wanted, { askStatus, clock }, cli);
  done.catch(() => {});
  return { clock, done, asked: () => asked };
}

const a = { name: 'a', status: 'connected' };
const b = { name: 'b', status: 'connected' };

describe('waiting for servers', () => {
  test('ends at once if all are connected', async () => {
    const { clock, done, asked } = waiting(['a', 'b'], [[a, b, { name: 'c', status: 'failed' }]]);
    await done;
    expect(asked()).toBe(1);
    expect(clock.size).toBe(0);
  });

  test('continues while one is pending or not listed yet', async () => {
    const pending = { name: 'b', status: 'pending' };
    const { clock, done, asked } = waiting(['a', 'b'], [[a], [a, pending], [a, b]]);
    for (let round = 0; round < 3; round += 1) {
      await settle();
      clock.advance(100);
    }
    await done;
    expect(asked()).toBe(3);
  });

  test('times out, naming each server with its state', async () => {
    const { clock, done } = waiting({ names: ['a', 'b', 'c'], timeoutMs: 250 }, [
      [a, { name: 'b', status: 'pending' }],
    ]);
    for (let round = 0; round < 4; round += 1) {
      await settle();
      clock.advance(100);
    }
    await expect(done).rejects.toMatchObject({
      code: 'MCP_NOT_READY',
      name: 'OpenError',
      message: expect.stringContaining(
        'These MCP servers are not connected: "b" (pending), "c" (not listed by the CLI yet). The session waited up to 250 ms.',
      ),
      mcpServersPending: ['b', 'c'],
      commandLine: 'claude --flag',
      stderrTail: 'a warning',
    });
    expect(clock.size).toBe(0);
  });

  test.each(['failed', 'needs-auth', 'disabled'])('ends at once when a server is %s', async (status) => {
    const { done, asked } = waiting(['a'], [[{ name: 'a', status, error: 'spawn ENOENT' }]]);
    await expect(done).rejects.toThrow(`"a" (${status}: spawn ENOENT)`);
    expect(asked()).toBe(1);
  });

  test('treats an answer without a list as one without servers', async () => {
    const askStatus = async () => ({});
    const parts = { askStatus, clock: new ManualClock() };
    await expect(waitToOpen({ names: ['a'], timeoutMs: 0 }, parts, {})).rejects.toThrow('"a" (not listed');
    await expect(waitToOpen([], parts, {})).resolves.toBeUndefined();
  });

  test('reports that the CLI is gone', async () => {
    const askStatus = () => Promise.reject(new Error('gone'));
    await expect(waitToOpen(['a'], { askStatus, clock: new ManualClock() }, {})).rejects.toThrow('gone');
  });
});
