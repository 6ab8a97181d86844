import { describe, expect, test } from 'vitest';
import { capabilitiesOf } from '../../../../../src/host/cli/capabilities.js';
import { readLedger } from '../../../../../src/host/cli/ledger/ledger.js';
import { endpointNames, endpoints } from '../../../../../src/host/session/endpoints/endpoint-table.js';
import { resolveEndpoint, unsupported } from '../../../../../src/host/session/endpoints/resolve.js';
import { DynamicServers } from '../../../../../src/host/session/servers/dynamic-servers.js';

const facts = (version: string | undefined, patched: readonly string[] = []) => {
  const dynamic = new DynamicServers();
  dynamic.note({ given: { command: 'node' } });
  const capabilities = capabilitiesOf({ version, patches: new Set(patched) });
  return { capabilities, launched: new Set(['launched']), dynamic };
};

describe('the table', () => {
  test('has fifteen endpoints, and says for each version what is sent or what would help', () => {
    expect(endpointNames).toHaveLength(15);
    for (const name of endpointNames)
      for (const version of readLedger().probed) {
        const { how, by, help } = endpoints[name](capabilitiesOf({ version }));
        expect(how === 'no' ? help : by, `${name} on ${version}`).toBeTruthy();
      }
  });
});

describe('resolveEndpoint', () => {
  test('depends on what the version supports, and is careful with an unknown one', () => {
    expect(resolveEndpoint('mcp_tools', facts('2.1.17')).how).toBe('no');
    expect(resolveEndpoint('mcp_tools', facts('2.1.58')).how).toBe('equivalent');
    expect(resolveEndpoint('rewind_files', facts('2.0.30'))).toMatchObject({ how: 'no', help: /or newer/ });
    expect(resolveEndpoint('mcp_tools', facts('2.1.400')).how).toBe('equivalent');
    expect(resolveEndpoint('agent_run_to_background', facts(undefined)).how).toBe('equivalent');
    expect(resolveEndpoint('mcp_reconnect', facts(undefined))).toMatchObject({
      how: 'native',
      note: /unknown/,
    });
    // Some CLIs would report success although the server can still be called.
    expect(resolveEndpoint('mcp_disable', facts(undefined), 'files')).toMatchObject({
      how: 'no',
      help: /set `version` on the transport/,
    });
    for (const server of [undefined, 'launched', 'files'])
      expect(resolveEndpoint('mcp_enable', facts(undefined), server)).toMatchObject({
        how: 'equivalent',
        by: 'mcp_toggle',
        note: /unknown/,
        outlives: true,
      });
  });

  test.each([
    ['2.0.73', 'given', 'equivalent'],
    ['2.0.73', 'launched', 'no'],
    ['2.0.73', 'other', 'no'],
    ['2.1.17', 'given', 'equivalent'],
    ['2.1.17', 'launched', 'no'],
    ['2.1.17', 'other', 'native'],
    ['2.1.58', 'given', 'equivalent'],
    ['2.1.58', 'launched', 'native'],
    ['2.1.58', 'other', 'native'],
    ['2.1.326', 'given', 'native'],
    ['2.1.326', 'launched', 'native'],
  ])('reconnect on %s for a server that is %s: %s', (version, server, how) => {
    expect(resolveEndpoint('mcp_reconnect', facts(version), server).how).toBe(how);
  });

  test.each([
    ['2.0.30', 'launched', 'no', undefined],
    ['2.1.58', 'given', 'equivalent', 'mcp_set_servers'],
    ['2.1.58', 'launched', 'no', undefined],
    ['2.1.58', 'other', 'no', undefined],
    ['2.1.310', 'launched', 'equivalent', 'mcp_toggle'],
  ])('disabling on %s a server that is %s: %s', (version, server, how, by) => {
    expect(resolveEndpoint('mcp_disable', facts(version), server)).toMatchObject({ how, ...(by && { by }) });
  });

  test('uses what patches added before anything else', () => {
    expect(resolveEndpoint('mcp_tools', facts('2.0.73', ['mcp_tools']))).toEqual({
      how: 'patched',
      by: 'mcp_tools',
    });
    const background = resolveEndpoint(
      'agent_run_to_background',
      facts('2.1.17', ['agent_run_to_background']),
    );
    expect(background).toMatchObject({ how: 'patched', note: expect.stringContaining('Agents only') });
  });
});

test('a refusal names the endpoint, the server, the version and what would help', () => {
  expect(unsupported('mcp_tools', facts('2.0.73'), 'Patch it.', 'files')).toMatchObject({
    code: 'ENDPOINT_UNSUPPORTED',
    message: 'mcp_tools for the MCP server "files" is not supported by CLI 2.0.73. Patch it.',
  });
  expect(unsupported('mcp_tools', facts(undefined), 'Patch it.').message).toContain('unknown version');
});

describe('DynamicServers', () => {
  const config = { command: 'node' };

  test('keeps disabled servers across its own changes, and drops them when the host sets another set', async () => {
    const dynamic = new DynamicServers();
    dynamic.note({ a: config, b: config });
    await dynamic.swap(dynamic.without('a'), async () => {}, ['a', config]);
    expect([dynamic.has('a'), dynamic.isOff('a'), dynamic.isOff('b')]).toEqual([true, true, false]);
    await dynamic.swap(dynamic.without('b'), async () => {}, ['b', config]);
    expect([dynamic.isOff('a'), dynamic.isOff('b')]).toEqual([true, true]);
    dynamic.note({ c: config });
    expect([dynamic.has('a'), dynamic.has('b'), dynamic.has('c')]).toEqual([false, false, true]);
    dynamic.reset();
    expect(dynamic.has('c')).toBe(false);
  });

  test('keeps everything unchanged if a change fails', async () => {
    const dynamic = new DynamicServers();
    dynamic.note({ a: config });
    const refused = dynamic.swap({}, () => Promise.reject(new Error('no')), ['a', config]);
    await expect(refused).rejects.toThrow('no');
    expect([dynamic.has('a'), dynamic.isOff('a')]).toEqual([true, false]);
  });

  test('keeps servers disabled in another set if they should stay so', async () => {
    const dynamic = new DynamicServers();
    dynamic.note({ a: config, b: config });
    await dynamic.swap({}, async () => {}, ['a', config]);
    await dynamic.replace({ c: config }, async (servers) => dynamic.note(servers), ['a']);
    expect([dynamic.isOff('a'), dynamic.has('b'), dynamic.has('c')]).toEqual([true, false, true]);
    await dynamic.replace({ c: config }, async () => {});
    expect(dynamic.has('a')).toBe(false);
  });

  test('runs changes one after another, even after a failure', async () => {
    const dynamic = new DynamicServers();
    const order: string[] = [];
    const first = dynamic.inTurn(async () => {
      await null;
      order.push('first');
      throw new Error('failed');
    });
    const second = dynamic.inTurn(async () => {
      order.push('second');
    });
    await expect(first).rejects.toThrow('failed');
    await second;
    expect(order).toEqual(['first', 'second']);
  });
});
