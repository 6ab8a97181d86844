import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TraceEntry } from '../../../../src/wire/trace/format.js';
import { loadTrace } from '../../../../src/wire/trace/read/read-trace.js';
import { type RecordOptions, startRecording } from '../../../../src/wire/trace/record/recording.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-trace-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A recording, and its diagnostics. */
function record(name: string, options: Omit<RecordOptions, 'to'> = {}) {
  const path = join(folder, name);
  const diagnostics: Diagnostic[] = [];
  const recording = startRecording(
    { to: path, ...options },
    {},
    { onDiagnostic: (each) => diagnostics.push(each) },
  );
  return { path, diagnostics, recording };
}

async function entriesOf(path: string): Promise<readonly TraceEntry[]> {
  return (await loadTrace(path)).map(({ entry }) => entry);
}

test('a flood is complete and in order, whatever is between the lines', async () => {
  const { path, recording } = record('a.trace', { redact: { secrets: ['hush-hush'] } });
  const lines = Array.from({ length: 3_000 }, (_, n) => {
    if (n % 997 === 0) return `noise ${n}`;
    return JSON.stringify({ n, text: n % 500 === 1 ? 'hush-hush' : 'é€𝄞' });
  });
  for (let at = 0; at < lines.length; at += 100) {
    const batch = lines.slice(at, at + 100);
    recording.lines('cli', batch, batch.join('\n'));
  }
  await recording.close();
  const written = (await entriesOf(path)).flatMap((entry) => (entry.kind === 'line' ? [entry.line] : []));
  expect(written).toEqual(lines.map((line) => line.replace('hush-hush', '<secret>')));
});

test('impossible options end only their own recording', async () => {
  const well = record('well.trace');
  const rules = [{ find: null as unknown as string }];
  const ill = record('ill.trace', { redact: { rules } });
  ill.recording.lines('cli', ['{}']);
  well.recording.lines('cli', ['{"n":1}']);
  await Promise.all([ill.recording.close(), well.recording.close()]);
  expect(ill.diagnostics).toMatchObject([{ code: 'RECORDING_FAILED' }]);
  expect(well.diagnostics).toEqual([]);
  expect(await entriesOf(well.path)).toMatchObject([{ kind: 'header' }, { kind: 'line', frame: { n: 1 } }]);
});

test('when the disk is far behind, lines are replaced by a gap', async () => {
  const { path, diagnostics, recording } = record('a.trace', { maxWaiting: 2_000 });
  for (let n = 0; n < 100; n += 1) recording.lines('cli', [`{"n":${n}}`]);
  recording.eof('host');
  await recording.close();
  expect(diagnostics.map(({ code }) => code)).toEqual(['RECORDING_GAP']);
  const entries = await entriesOf(path);
  const kept = entries.filter(({ kind }) => kind === 'line').length;
  expect(kept).toBeGreaterThan(0);
  expect(entries.slice(-2)).toMatchObject([{ kind: 'gap', lines: 100 - kept }, { kind: 'eof' }]);
});

test('lines dropped at the very end have their gap too', async () => {
  const { path, recording } = record('a.trace', { maxWaiting: 2_000 });
  for (let n = 0; n < 100; n += 1) recording.lines('cli', [`{"n":${n}}`]);
  await recording.close();
  const entries = await entriesOf(path);
  const kept = entries.filter(({ kind }) => kind === 'line').length;
  expect(entries.at(-1)).toMatchObject({ kind: 'gap', lines: 100 - kept });
});

test('a regular file exists as soon as the recording begins, so that an exit finds it open', () => {
  const { path } = record('deep/er/a.trace');
  expect(statSync(path).isFile()).toBe(true);
});

test('many recordings share one exit listener', async () => {
  const before = process.listenerCount('exit');
  const recordings = Array.from({ length: 20 }, (_, n) => record(`${n}.trace`).recording);
  expect(process.listenerCount('exit')).toBeLessThanOrEqual(before + 1);
  await Promise.all(recordings.map((recording) => recording.close()));
});

test('a pipe without a reader does not block the program', async () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const { recording, diagnostics } = record('pipe', { closeWaitMs: 10 });
  recording.lines('cli', ['{"n":1}']);
  await recording.close();
  expect(diagnostics).toMatchObject([
    { code: 'RECORDING_FAILED', path, message: expect.stringContaining('within 10 ms') },
  ]);
  // Releases the writer that still waits for a reader.
  await (await open(path, 'r+')).close();
});
