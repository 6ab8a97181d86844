// Writes docs/reference/conformance/<version>.json: what the probes found on the installed real CLIs, run offline.
// You can name versions: `node scripts/record-conformance.mjs 2.1.326`.
import { mkdir, writeFile } from 'node:fs/promises';
import { runProbes } from '../src/lab/conformance/run.ts';
import { realSubject } from '../src/lab/conformance/subjects/real.ts';
import { knownRealClis } from '../src/lab/testing/real-cli/known-clis.ts';
import { recordPath } from './lib/conformance-records.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';

if (!(await ensureInstalled('test/real-clis'))) {
  console.error('the real CLIs could not be installed: see the npm error above');
  process.exit(1);
}
const named = process.argv.slice(2);
for (const { version, path } of knownRealClis()) {
  if (named.length > 0 && !named.includes(version)) continue;
  const started = performance.now();
  const { verdicts, shapes } = await runProbes(realSubject(path));
  const record = {
    writtenBy: 'scripts/record-conformance.mjs',
    version,
    verdicts: Object.fromEntries(verdicts.map(({ id, verdict }) => [id, verdict])),
    shapes,
  };
  await mkdir('docs/reference/conformance', { recursive: true });
  await writeFile(recordPath(version), `${JSON.stringify(record, null, 1)}\n`);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${version}: ${verdicts.length} requirements in ${seconds} s`);
}
