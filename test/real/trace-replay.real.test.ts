import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { realCli } from '../../src/lab/testing/real-cli/real-cli.js';
import { validateTrace } from '../../src/wire/trace/analysis/validate-trace.js';
import { replayHost } from '../../src/wire/trace/replay/replay-host.js';
import { replayTrace } from '../../src/wire/trace/replay/replay-transport.js';
import { MODEL_SCRIPT, runHost, SEEN } from '../recordings/host.mjs';
import { eachRealCli } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

eachRealCli('a session is recorded, validates without mistakes, and replays', async (cli) => {
  await using place = await realPlace(cli);
  const path = join(place.folders.tmp, 'session.trace');
  place.model.play(MODEL_SCRIPT);
  expect(await runHost(openSession, place.options({ record: path }))).toEqual(SEEN);
  expect(readFileSync(path, 'utf8')).not.toContain('made-up-key');
  const errors: unknown[] = [];
  for await (const finding of validateTrace(path)) if (finding.severity === 'error') errors.push(finding);
  expect(errors).toEqual([]);
  const transport = await replayTrace(path);
  expect(transport.version).toBe(cli.version);
  expect(await runHost(openSession, { transport })).toEqual(SEEN);
  transport.assertFinished();
});

eachRealCli(
  'the CLI still matches the golden recording of this version',
  async (cli) => {
    await using place = await realPlace(cli);
    place.model.play(MODEL_SCRIPT);
    const transport = await realCli({ path: cli.path, model: place.model.model, partialMessages: true });
    const golden = `test/recordings/${cli.version}/note.trace`;
    const report = await replayHost(golden, transport, { waitMs: 60_000, cwd: transport.cwd });
    expect(report.missed).toEqual([]);
    // The golden file is trimmed, so only presence can be compared.
    expect(report.changes.filter(({ change }) => change !== 'changed')).toEqual([]);
  },
  ['2.0.73', '2.1.326'],
);
