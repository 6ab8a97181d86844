import { readFileSync } from 'node:fs';
import type { ConformanceRecord } from '../../src/lab/conformance/compare.js';
import type { RecordedVersion } from '../../src/lab/conformance/recorded-versions.js';

/** The record of a real CLI. */
export function readRecord(version: RecordedVersion): ConformanceRecord {
  return JSON.parse(readFileSync(`docs/reference/conformance/${version}.json`, 'utf8')) as ConformanceRecord;
}
