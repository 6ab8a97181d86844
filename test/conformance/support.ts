import { readFileSync } from 'node:fs';
import type { ConformanceRecord } from '../../src/lab/conformance/compare.js';
import type { ProbedVersion } from '../../src/wire/protocol/catalog/entries.js';

/** The record of a real CLI. */
export function readRecord(version: ProbedVersion): ConformanceRecord {
  return JSON.parse(readFileSync(`docs/reference/conformance/${version}.json`, 'utf8')) as ConformanceRecord;
}
