import { expect, test } from 'vitest';
import { eventOf } from '../../../../src/server/console/log/entry.js';
import { maskSecrets } from '../../../../src/server/fleet/log/mask-secrets.js';

const entry = (frame: object) => ({
  n: 1,
  at: 2,
  rest: JSON.stringify({ kind: 'line', t: 3, from: 'host', frame }).slice(1),
});

test('keys and tokens of MCP servers do not go into the log of a fleet; everything else does', () => {
  const servers = {
    one: { command: 'node', args: ['x'], env: { KEY: 'secret-1' } },
    two: { type: 'http', url: 'https://example.com', headers: { Authorization: 'secret-2' } },
  };
  const frame = {
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'mcp_set_servers', servers },
  };
  const masked = maskSecrets(entry(frame));
  expect(masked.rest).not.toContain('secret');
  expect(eventOf(masked)).toMatchObject({
    kind: 'line',
    from: 'host',
    frame: {
      request: {
        servers: {
          one: { command: 'node', args: ['x'], env: { KEY: '[masked]' } },
          two: { url: 'https://example.com', headers: { Authorization: '[masked]' } },
        },
      },
    },
  });
});

test('text of people and the model is unchanged', () => {
  const said = entry({ type: 'user', message: { role: 'user', content: 'Set "env":{"A":"b"}' } });
  expect(maskSecrets(said)).toBe(said);
});
