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
