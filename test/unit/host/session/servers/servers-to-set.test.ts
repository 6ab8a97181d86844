import { describe, expect, test } from 'vitest';
import { capabilitiesOf } from '../../../../../src/host/cli/capabilities.js';
import type { McpServers } from '../../../../../src/host/session/servers/dynamic-servers.js';
import { serversToSet } from '../../../../../src/host/session/servers/servers-to-set.js';

const on = (version: string | undefined, patches?: ReadonlySet<string>) => ({
  capabilities: capabilitiesOf({ version, patches }),
});
const servers: McpServers = {
  files: { command: 'node', args: [] },
  typed: { type: 'stdio', command: 'node', args: [] },
  far: { type: 'http', url: 'http://127.0.0.1:1' },
  own: { type: 'sdk', name: 'own' },
};

describe('the servers that are set after the handshake', () => {
  test.each([
    ['2.0.73', ['files', 'typed']],
    ['2.1.17', ['files', 'typed']],
    ['2.1.58', []],
    ['2.1.140', []],
    ['2.1.200', ['files', 'typed']],
    ['2.1.326', []],
    ['2.1.400', []],
    ['2.0.10', []],
    [undefined, []],
  ])('on %s: %j', (version, names) => {
    expect(serversToSet(servers, on(version))).toEqual(names);
  });

  test('are empty if the host wants all of them on the command line', () => {
    expect(serversToSet(servers, { ...on('2.0.73'), serversAtLaunch: true })).toEqual([]);
    expect(serversToSet(servers, { ...on('2.0.73'), serversAtLaunch: false })).toHaveLength(2);
  });

  test('are all with a command if the host wants to switch them, as far as the CLI can', () => {
    const wanted = (version: string) => serversToSet(servers, { ...on(version), serversAtLaunch: false });
    expect(['2.0.30', '2.1.58', '2.1.200', '2.1.326'].map((each) => wanted(each).length)).toEqual([
      0, 2, 2, 0,
    ]);
  });

  test('are empty if patches reconnect and switch every server', () => {
    const all = new Set(['mcp_reconnect', 'mcp_disable', 'mcp_enable']);
    expect(serversToSet(servers, on('2.0.73', all))).toEqual([]);
    expect(serversToSet(servers, on('2.0.73', new Set(['mcp_reconnect'])))).toHaveLength(2);
  });

  test('never include the one that answers permission prompts', () => {
    const permissionPromptTool = 'mcp__files__allow';
    expect(serversToSet(servers, { ...on('2.1.17'), permissionPromptTool })).toEqual(['typed']);
    expect(serversToSet(servers, { ...on('2.1.17'), permissionPromptTool: 'stdio' })).toHaveLength(2);
    const dotted = { 'my.files': { command: 'files' } };
    const other = { ...on('2.1.17'), permissionPromptTool: 'mcp__my_files__allow' };
    expect(serversToSet(dotted, other)).toEqual([]);
  });
});
