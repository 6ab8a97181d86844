import { expect, test } from 'vitest';
import { UnreadyServers } from '../../../../../src/host/session/servers/server-readiness.js';

const init = (...rows: readonly (readonly [string, string])[]) => ({
  type: 'system',
  subtype: 'init',
  mcp_servers: rows.map(([name, status]) => ({ name, status })),
});

test('reports wanted servers that are missing when a turn begins, by name', () => {
  const diagnostic = new UnreadyServers().look(init(['a', 'connected'], ['b', 'pending'], ['d', 'failed']), [
    'a',
    'b',
    'c',
  ]);
  expect(diagnostic).toMatchObject({ code: 'MCP_NOT_READY', servers: ['b', 'c'] });
  expect(diagnostic?.message).toContain('"b" (pending), "c" (not listed by the CLI yet)');
});

test('reports each state once', () => {
  const unready = new UnreadyServers();
  expect(unready.look(init(['a', 'pending']), ['a'])).toBeDefined();
  expect(unready.look(init(['a', 'pending']), ['a'])).toBeUndefined();
  expect(unready.look(init(['a', 'failed']), ['a'])).toMatchObject({ servers: ['a'] });
  expect(unready.look(init(['a', 'connected']), ['a'])).toBeUndefined();
});

test('reports nothing if all are connected', () => {
  expect(new UnreadyServers().look(init(['a', 'connected']), ['a'])).toBeUndefined();
  expect(new UnreadyServers().look({}, [])).toBeUndefined();
});
