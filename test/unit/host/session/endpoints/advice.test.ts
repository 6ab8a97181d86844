import { describe, expect, test } from 'vitest';
import { readPatchRecord } from '../../../../../scripts/lib/patch-record.mjs';
import { capabilitiesOf } from '../../../../../src/host/cli/capabilities.js';
import { readLedger } from '../../../../../src/host/cli/ledger/ledger.js';
import { builtinPatches } from '../../../../../src/host/patches/registry.js';
import { endpointNames } from '../../../../../src/host/session/endpoints/endpoint-table.js';
import { parentRefusal } from '../../../../../src/host/session/endpoints/parent-uuid.js';
import { resolveEndpoint } from '../../../../../src/host/session/endpoints/resolve.js';
import { DynamicServers } from '../../../../../src/host/session/servers/dynamic-servers.js';
import { compareVersions } from '../../../../../src/wire/util/versions.js';

/** A session with a server from the command line and one that was set later. */
function factsOf(version: string, { isScript = false, patches = [] as readonly string[] } = {}) {
  const dynamic = new DynamicServers();
  dynamic.note({ later: { command: 'node' } });
  const capabilities = capabilitiesOf({ version, isScript, patches: new Set(patches) });
  return { capabilities, launched: new Set(['launched']), dynamic };
}

/** What each patch did on each CLI, when it was run. */
const results = readPatchRecord();
const patchOf = new Map(builtinPatches.flatMap(({ id, serves = [] }) => serves.map((name) => [name, id])));
const isPatchable = (version: string, request: string) =>
  results[version]?.cells[patchOf.get(request) ?? '']?.startsWith('works') ?? false;

const { probed, looked } = readLedger();
const published = [...new Set([...probed, ...looked])].sort(compareVersions);

const SERVERS = [undefined, 'launched', 'elsewhere'];
const refusals = published.flatMap((version) =>
  [true, false].flatMap((isScript) =>
    endpointNames.flatMap((name) =>
      SERVERS.flatMap((server) => {
        const { how, help = '', reason = '' } = resolveEndpoint(name, factsOf(version, { isScript }), server);
        return how === 'no' ? [{ version, isScript, name, server, help, reason }] : [];
      }),
    ),
  ),
);

describe('the advice of every refusal on every known CLI', () => {
  test('names only CLIs that can', () => {
    expect(refusals.length).toBeGreaterThan(100);
    for (const { version, name, server, help, reason } of refusals)
      for (const text of [help, reason]) {
        const other = /CLI (\d+\.\d+\.\d+) or newer/.exec(text)?.[1] ?? '';
        const { how } = resolveEndpoint(name, factsOf(other), server);
        expect(how, `${name} of ${server} on ${version}: ${text}`).not.toBe('no');
      }
  });

  test('names the oldest CLI that can', () => {
    for (const { version, name, server, help } of refusals) {
      const other = /CLI (\d+\.\d+\.\d+) or newer/.exec(help)?.[1] ?? '';
      const before = published.findLast((each) => compareVersions(each, other) < 0) ?? '';
      const { how } = resolveEndpoint(name, factsOf(before), server);
      expect(how, `${name} of ${server} on ${version}: ${help}`).toBe('no');
    }
  });

  test('recommends patches exactly where they were seen to work', () => {
    for (const { version, isScript, name, server, help, reason } of refusals) {
      const told = [help.includes('patched: true'), reason.includes('patched copy')];
      const can = isScript && isPatchable(version, name);
      expect(told, `${name} on ${version}`).toEqual([can, can]);
      if (!can) continue;
      const patched = factsOf(version, { isScript, patches: [name] });
      expect(resolveEndpoint(name, patched, server).how).toBe('patched');
      expect(resolveEndpoint(name, patched, server).help).toBeUndefined();
    }
  });

  test.each([
    ['2.0.30', true, true],
    ['2.0.30', false, false],
    ['2.1.326', false, false],
    [undefined, true, false],
  ])('for a parent message on %s (a script: %s) names the patch: %s', (version, isScript, isNamed) => {
    const capabilities = capabilitiesOf({ version, isScript });
    const refusal = parentRefusal({ parentUuid: 'earlier' }, { capabilities }) ?? '';
    expect(refusal.includes('patched')).toBe(isNamed);
    expect(refusal).toContain('resumeSessionAt');
  });

  test('recommends to set a server later only where that works', () => {
    for (const { version, name, help } of refusals) {
      if (!/serversAtLaunch|mcp\.add/.test(help)) continue;
      const facts = factsOf(version);
      expect(facts.capabilities.fateOf('mcp_set_servers'), version).toBe('served');
      expect(resolveEndpoint(name, facts, 'later').how, `${name} on ${version}`).toBe('equivalent');
    }
  });
});
