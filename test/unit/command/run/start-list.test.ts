import { expect, test } from 'vitest';
import { StartList } from '../../../../src/command/run/start-list.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { recordedScreen } from '../../../support/recorded-screen.js';

function setUp(shown = true) {
  const clock = new ManualClock();
  const { screen, written } = recordedScreen();
  return { list: new StartList(screen, clock, shown), clock, lines: () => written.err.trimEnd().split('\n') };
}

const init = (servers: unknown) => ({ type: 'system', subtype: 'init', mcp_servers: servers });

test('each step is printed with its duration', () => {
  const { list, clock, lines } = setUp();
  clock.advance(3);
  list.step('found');
  clock.advance(40);
  list.state('handshaking', undefined);
  clock.advance(1_500);
  list.state('ready', '2.1.326');
  list.state('ending', '2.1.326');
  expect(lines()).toEqual(['✓ found 3 ms', '✓ started 40 ms', '✓ ready, version 2.1.326 1.5 s']);
});

test('MCP servers are counted once, and those that are not connected are named', () => {
  const { list, lines } = setUp();
  const servers = [
    { name: 'files', status: 'connected' },
    { name: 'mail', status: 'failed' },
  ];
  list.message(init(servers));
  list.message(init(servers));
  expect(lines()).toEqual(['✓ MCP servers: 1 of 2 connected (mail failed)']);
});

test.each([[[]], [undefined], ['odd']])('servers that are %j are not mentioned', (servers) => {
  const { list, lines } = setUp();
  list.message(init(servers));
  expect(lines()).toEqual(['']);
});

test('nothing is printed if it is turned off', () => {
  const { list, lines } = setUp(false);
  list.step('found');
  list.message(init([{ name: 'a', status: 'connected' }]));
  expect(lines()).toEqual(['']);
});
