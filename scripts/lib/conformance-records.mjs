// The records of the real CLIs.
import { readFileSync } from 'node:fs';

/** Where the record of a version is. */
export function recordPath(version) {
  return `docs/reference/conformance/${version}.json`;
}

/** The records of these versions, by version. */
export function readRecords(versions) {
  return Object.fromEntries(
    versions.map((version) => [version, JSON.parse(readFileSync(recordPath(version), 'utf8'))]),
  );
}
