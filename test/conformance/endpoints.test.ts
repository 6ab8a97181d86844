import { describe, expect, test } from 'vitest';
import { capabilitiesOf } from '../../src/host/cli/capabilities.js';
import { endpointNames, endpoints } from '../../src/host/session/endpoints/endpoint-table.js';
import { recordedVersions } from '../../src/lab/conformance/recorded-versions.js';
import type { RequirementId } from '../../src/lab/conformance/requirements/requirements.js';
import { noted, ways } from './endpoint-proofs.js';
import { readRecord } from './support.js';

/** The endpoint table is compared with the probes' results on the real CLIs. */
describe.each(recordedVersions)('the table of endpoints for %s', (version) => {
  const { verdicts } = readRecord(version);
  const capabilities = capabilitiesOf({ version });
  const isKept = (id: RequirementId) => verdicts[id] === 'pass';

  test.each(endpointNames)('%s: the best way that works', (name) => {
    const { how, by } = endpoints[name](capabilities);
    const works = ways[name].find(({ needs }) => needs.every(isKept));
    expect(by, 'what is sent').toBe(works?.by);
    const expected = works === undefined ? 'no' : works.by === name ? 'native' : 'equivalent';
    expect(how).toBe(expected);
  });

  test.each(Object.entries(noted))('%s: what the version lacks is listed', (name, ids) => {
    const [, serve] = Object.entries(endpoints).find(([endpoint]) => endpoint === name) ?? [];
    const isNoted = serve?.(capabilities).note !== undefined;
    expect(ids.filter((id) => !isKept(id) && !isNoted)).toEqual([]);
  });
});
