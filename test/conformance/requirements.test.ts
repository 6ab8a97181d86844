import { describe, expect, test } from 'vitest';
import { expectedVerdict } from '../../src/lab/conformance/expected.js';
import { probeGroups } from '../../src/lab/conformance/probes/groups.js';
import { recordedVersions } from '../../src/lab/conformance/recorded-versions.js';
import {
  isRequirementId,
  requirementIds,
  requirements,
} from '../../src/lab/conformance/requirements/requirements.js';
import { hostRequests } from '../../src/wire/protocol/catalog/catalog.js';
import { readRecord } from './support.js';

const citations = probeGroups.flatMap(({ probes }) => probes.flatMap(({ cites }) => cites));

describe('requirements', () => {
  test('are each cited by exactly one probe', () => {
    const counts = requirementIds.map((id) => [id, citations.filter((cited) => cited === id).length]);
    expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
  });

  test('exist for every citation', () => {
    expect(citations.filter((id) => !isRequirementId(id))).toEqual([]);
  });

  test('are one sentence each, with the section they come from', () => {
    const odd = requirementIds.filter((id) => {
      const { behaviour } = requirements[id];
      return !/^[A-Z`/].+[^.]\.$/.test(behaviour);
    });
    expect(odd).toEqual([]);
  });

  test('state each behaviour once', () => {
    const sentences = requirementIds.map((id) => requirements[id].behaviour);
    expect(sentences).toHaveLength(new Set(sentences).size);
  });

  test('cover every request of the catalog', () => {
    const missing = Object.keys(hostRequests).filter((name) => !isRequirementId(`endpoint:${name}`));
    expect(missing).toEqual([]);
  });
});

test.each(recordedVersions)('the ledger’s entries for %s match the records', (version) => {
  const { verdicts } = readRecord(version);
  const expected = requirementIds.map((id) => [id, expectedVerdict(id, version)]);
  expect(verdicts).toEqual(Object.fromEntries(expected));
});
