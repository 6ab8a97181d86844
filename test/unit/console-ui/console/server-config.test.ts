import { expect, test } from 'vitest';
import { readServer } from '../../../../console-ui/console/panels/server-config.js';

test.each([
  ['npx some-server --flag', { command: 'npx', args: ['some-server', '--flag'] }],
  ['  node  ', { command: 'node', args: [] }],
  [`"/my tools/run" 'a b' c\\ d x"y z"`, { command: '/my tools/run', args: ['a b', 'c d', 'xy z'] }],
  [`node -e "say(\\"hi\\")" ''`, { command: 'node', args: ['-e', 'say("hi")', ''] }],
  ['https://a.example/mcp', { type: 'http', url: 'https://a.example/mcp' }],
  ['', undefined],
  ['node "no end', undefined],
])('parses what a person types: %s', (written, server) => {
  expect(readServer(written)).toEqual(server);
});

test('headers and environment variables are lines with a name', () => {
  expect(readServer('https://a.example/sse', 'X-Key: a=b\n\nY=2')).toEqual({
    type: 'sse',
    url: 'https://a.example/sse',
    headers: { 'X-Key': 'a=b', Y: '2' },
  });
  expect(readServer('node', ' KEY = a b ')).toEqual({ command: 'node', args: [], env: { KEY: 'a b' } });
  expect(readServer('node', 'no value')).toBeUndefined();
});
