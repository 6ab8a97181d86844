import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** What may name CLI versions, and why. Everything else asks `capabilitiesOf` or the ledger. */
const ALLOWED = [
  // The facts themselves.
  'host/cli/ledger/',
  // Shapes that were captured from one CLI each, and programs that play one.
  'lab/testing/emulator/',
  'lab/testing/builders/system.ts',
  // Prose about the captured CLIs, and their list.
  'wire/protocol/catalog/',
  'lab/conformance/recorded-versions.ts',
  // Observations from resuming damaged conversations; no code depends on them.
  'host/transcripts/check/finding.ts',
  // Examples of the format.
  'wire/util/versions.ts',
  'lab/conformance/capabilities.ts',
  'command/demo/demo.ts',
  'command/testing/emulate.ts',
];

test('code never compares CLI versions: only facts have versions', () => {
  const files = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  const named = files.flatMap((file) => {
    const path = relative('src', file).replaceAll('\\', '/');
    if (ALLOWED.some((allowed) => path.startsWith(allowed))) return [];
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.flatMap((line, at) =>
      /\b2\.[01]\.\d{1,3}\b/.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [],
    );
  });
  expect(files.length).toBeGreaterThan(500);
  expect(named).toEqual([]);
});
