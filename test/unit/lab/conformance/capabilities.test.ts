import { expect, test } from 'vitest';
import { readLedger } from '../../../../src/host/cli/ledger/ledger.js';
import { capabilities, holdsAt, rangesOf, rangesText } from '../../../../src/lab/conformance/capabilities.js';

test('a fact holds in ranges, which may end and begin again', () => {
  const facts = { facts: { x: '2.0.0 fail, 2.0.5 pass, 2.1.0 silent, 2.1.4 served, 2.1.9 pass' } };
  const ranges = rangesOf(facts, 'x');
  expect(ranges).toEqual([{ since: '2.0.5', until: '2.1.0' }, { since: '2.1.4' }]);
  expect(rangesText(ranges)).toBe('2.0.5 until 2.1.0, since 2.1.4');
  expect(rangesText([])).toBe('no version');
  expect(['1.0.0', '2.0.0', '2.0.7', '2.1.1'].map((version) => holdsAt(facts, 'x', version))).toEqual([
    undefined,
    false,
    true,
    false,
  ]);
});

test('capabilities have a name each, and a fact of the ledger', () => {
  const { facts } = readLedger();
  expect(capabilities.filter(({ fact }) => !Object.hasOwn(facts, fact))).toEqual([]);
  const names = capabilities.map(({ name }) => name);
  expect(names).toHaveLength(new Set(names).size);
});
