import { expect, test } from 'vitest';
import { eventOf } from '../../../../src/server/console/log/entry.js';
import { maskSecrets } from '../../../../src/server/fleet/log/mask-secrets.js';

const event = (value: object) => ({ n: 1, at: 2, rest: JSON.stringify(value).slice(1) });
const entry = (frame: object, from = 'host') => event({ kind: 'line', t: 3, from, frame });

test('keys and tokens of MCP servers do not go into the log of a fleet; everything else does', () => {
  const servers = {
    one: { command: 'node', args: ['--key', 'secret-0'], env: { KEY: 'secret-1' } },
    two: {
      type: 'http',
      url: 'https://user:secret-3@example.com/secret-4?token=secret-5',
      headers: { Authorization: 'secret-2' },
    },
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
          one: { command: 'node', args: ['[masked]', '[masked]'], env: { KEY: '[masked]' } },
          two: { url: 'https://example.com/[masked]', headers: { Authorization: '[masked]' } },
        },
      },
    },
  });
});

test('what agents are told does not go into the log of a fleet; their names do', () => {
  const agents = { helper: { description: 'Helps', prompt: 'Use secret-1.', tools: ['Read'] } };
  const frame = { type: 'control_request', request_id: 'r', request: { subtype: 'initialize', agents } };
  expect(eventOf(maskSecrets(entry(frame)))).toMatchObject({
    frame: { request: { agents: { helper: { ...agents.helper, prompt: '[masked]' } } } },
  });
});

test('text of people and the model is unchanged', () => {
  const said = entry({ type: 'user', message: { role: 'user', content: 'Set "env":{"A":"b"}' } });
  expect(maskSecrets(said)).toBe(said);
});

test('what a CLI asks is unchanged: programs answer it as the log has it', () => {
  const input = { url: 'https://example.com/page?of=2', env: { A: 'b' }, args: ['c'] };
  const asked = entry(
    { type: 'control_request', request_id: 'r', request: { subtype: 'can_use_tool', input } },
    'cli',
  );
  expect(maskSecrets(asked)).toEqual(asked);
});

test('a command line is stored without settings, servers and keys', () => {
  const argv = ['claude', '--model=opus', '--mcp-config={"a":"secret-1"}', '--settings', 'secret-2'];
  expect(eventOf(maskSecrets(event({ kind: 'header', argv, cwd: '/' })))).toEqual({
    kind: 'header',
    argv: ['claude', '--model=opus', '--mcp-config=[masked]', '--settings', '[masked]'],
    cwd: '/',
  });
});
