import { describe, expect, test } from 'vitest';
import { patchSources, readPatchRecord } from '../../../../scripts/lib/patch-record.mjs';
import { patchesTable } from '../../../../scripts/lib/patches-page.mjs';

const record = readPatchRecord();

describe('the record of the patches on JavaScript CLIs', () => {
  test('comes from the patches as they are', () => {
    const sources = patchSources();
    const others = Object.keys(record).filter((version) => record[version]?.sources !== sources);
    expect(others, 'the patches changed: npm run patches -- --run, then npm run reference').toEqual([]);
  });

  test('has no patch that fails, or that applies and was not run', () => {
    const cells = Object.entries(record).flatMap(([version, row]) =>
      Object.entries(row.cells).map(([patch, found]) => `${patch} on ${version}: ${found}`),
    );
    expect(cells.filter((each) => !/: (?:works|not found)/.test(each))).toEqual([]);
  });
});

describe('its table', () => {
  test('counts only what the same patches did', () => {
    const cells = { '001-one': 'works', '002-two': 'not found: a text' };
    const rows = { '2.0.0': { sources: 'now', cells }, '2.0.1': { sources: 'before', cells } };
    expect(patchesTable(rows, 'now')).toContain('| 2.0.0 to 2.0.1 | 2 | 1 | works | – |');
    expect(patchesTable(rows, 'later')).toContain('| 2.0.0 to 2.0.1 | 2 | 0 | not run | – |');
  });
});
