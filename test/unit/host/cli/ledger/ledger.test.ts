import { describe, expect, test } from 'vitest';
import { decisions } from '../../../../../src/host/cli/ledger/decisions.js';
import { changesOf, factAt, isExactAt, writeChanges } from '../../../../../src/host/cli/ledger/facts.js';
import { type Ledger, readLedger } from '../../../../../src/host/cli/ledger/ledger.js';
import { compareVersions } from '../../../../../src/wire/util/versions.js';

const FACT = '2.0.0 silent, 2.1.40 pass after 2.1.33, 2.1.100 fail';
const ledger: Ledger = {
  published: [],
  probed: [],
  looked: [],
  facts: { 'hook:ask': FACT },
  unsteady: {},
};

test('a fact has the value of the newest change at or below a version', () => {
  const versions = ['1.0.0', '2.0.0', '2.1.9', '2.1.40', '2.1.99', '2.1.100', '3.0.0'];
  const values = versions.map((version) => factAt(ledger, 'hook:ask', version));
  expect(values).toEqual([undefined, 'silent', 'silent', 'pass', 'pass', 'fail', 'fail']);
  expect(factAt(ledger, 'toString', '2.1.0')).toBeUndefined();
});

test('parsed values can be written again', () => {
  expect(writeChanges(changesOf(ledger, 'hook:ask'))).toBe(FACT);
});

test('a version in a gap is not certain', () => {
  const isExact = (version: string) => isExactAt(ledger, 'hook:ask', version);
  expect(['2.1.33', '2.1.36', '2.1.40'].map(isExact)).toEqual([true, false, true]);
});

describe('the ledger of this package', () => {
  const kept = readLedger();
  const ids = Object.keys(kept.facts);

  test('lists versions in order, each once', () => {
    for (const versions of [kept.published, kept.probed, kept.looked]) {
      expect(versions).toEqual([...new Set(versions)].sort(compareVersions));
    }
    expect([...kept.probed, ...kept.looked].filter((version) => !kept.published.includes(version))).toEqual(
      [],
    );
  });

  test('has changes for each fact, in ascending order, and each one differs from the previous one', () => {
    const odd = ids.filter((id) => {
      const changes = changesOf(kept, id);
      return changes.some(({ from, value, after }, at) => {
        const before = changes[at - 1];
        if (before === undefined) return after !== undefined;
        const floor = after ?? before.from;
        return (
          before.value === value ||
          compareVersions(before.from, floor) > 0 ||
          compareVersions(floor, from) >= 0
        );
      });
    });
    expect(odd).toEqual([]);
    expect(ids).toEqual([...ids].sort());
  });

  test('knows what was found by hand before', () => {
    const newest = kept.published.at(-1) ?? '';
    expect(factAt(kept, 'envelope:unknown-subtype', '2.1.17')).toBe('silent');
    expect(factAt(kept, 'envelope:unknown-subtype', newest)).toBe('pass');
    expect(factAt(kept, 'request:get_context_usage', newest)).toBe('served');
  });

  test('matches the facts that sessions use', () => {
    // Where patches work is recorded apart.
    const facts = Object.entries(decisions).filter(([id]) => !id.startsWith('patch:'));
    expect(facts.filter(([id, text]) => kept.facts[id] !== text)).toEqual([]);
  });

  test('stays small enough to be read in a review', () => {
    expect(JSON.stringify(kept).length).toBeLessThan(150_000);
  });
});
