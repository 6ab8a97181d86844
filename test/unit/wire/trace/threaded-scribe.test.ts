import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { TraceEntry } from '../../../../src/wire/trace/format.js';
import { loadTrace } from '../../../../src/wire/trace/read/read-trace.js';
import { type RecordOptions, startRecording } from '../../../../src/wire/trace/record/recording.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';

let folder = '';
let threads: Worker[] = [];
const noteThread = (worker: Worker) => void threads.push(worker);

/** Node tells of a thread in the turn after it was made. */
async function onlyThread(): Promise<Worker> {
  await nextTurn();
  const [thread, ...others] = threads;
  expect(others).toEqual([]);
  if (thread === undefined) throw new Error('no thread was begun');
  return thread;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-thread-'));
  threads = [];
  process.on('worker', noteThread);
});
afterEach(() => {
  vi.unstubAllEnvs();
  process.off('worker', noteThread);
  rmSync(folder, { recursive: true, force: true });
});

/** A recording, and what it tells. */
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

test('recordings side by side have one thread, which ends with the last of them', async () => {
  const [one, other] = [record('one.trace'), record('other.trace')];
  const thread = await onlyThread();
  one.recording.lines('cli', ['{"of":"one"}']);
  other.recording.lines('cli', ['{"of":"other"}']);
  await one.recording.close();
  other.recording.lines('host', ['{"of":"other"}', 'noise']);
  const ended = once(thread, 'exit');
  await other.recording.close();
  await ended;
  expect(await entriesOf(one.path)).toMatchObject([
    { kind: 'header' },
    { kind: 'line', frame: { of: 'one' } },
  ]);
  expect(await entriesOf(other.path)).toMatchObject([
    { kind: 'header' },
    { kind: 'line', from: 'cli', frame: { of: 'other' } },
    { kind: 'line', from: 'host', frame: { of: 'other' } },
    { kind: 'line', from: 'host', line: 'noise', frame: undefined },
  ]);
  await record('next.trace').recording.close();
  expect(threads).toEqual([thread, expect.anything()]);
});

test('a flood comes whole and in order, whatever is between the lines', async () => {
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

test('a thread that ends is told once to each recording, harms nothing, and is replaced', async () => {
  const [one, other] = [record('one.trace', { maxWaiting: 1 }), record('other.trace')];
  await (await onlyThread()).terminate();
  for (let n = 0; n < 3; n += 1) one.recording.lines('cli', ['{}']);
  await Promise.all([one.recording.close(), other.recording.close()]);
  for (const { diagnostics, path } of [one, other]) {
    expect(diagnostics).toMatchObject([{ code: 'RECORDING_FAILED', path }]);
  }
  const next = record('next.trace');
  next.recording.lines('cli', ['{"n":1}']);
  await next.recording.close();
  expect(await entriesOf(next.path)).toMatchObject([{ kind: 'header' }, { kind: 'line', frame: { n: 1 } }]);
});

test('options that nothing can be done with end their own recording only', async () => {
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

test('a rule that cannot be told to a thread is kept to in this one', async () => {
  const replace = (() => '<mine>') as unknown as string;
  const { path, recording } = record('a.trace', { redact: { rules: [{ find: /mi+ne/, replace }] } });
  recording.lines('cli', ['{"text":"miiine"}']);
  await recording.close();
  expect(readFileSync(path, 'utf8')).toContain('{"text":"<mine>"}');
});

test('a recording that cannot go to the thread takes nothing of the others along', async () => {
  const other = record('other.trace');
  other.recording.lines('cli', ['{"n":1}']);
  const replace = (() => '<mine>') as unknown as string;
  const own = record('own.trace', { redact: { rules: [{ find: /mine/, replace }] } });
  other.recording.lines('cli', ['{"n":2}']);
  await Promise.all([own.recording.close(), other.recording.close()]);
  expect(await entriesOf(other.path)).toMatchObject([
    { kind: 'header' },
    { kind: 'line', frame: { n: 1 } },
    { kind: 'line', frame: { n: 2 } },
  ]);
});

test('a target that may block, such as a pipe, is not written by a thread: the process could not leave', async () => {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const recording = startRecording({ to: path, closeWaitMs: 10 });
  await recording.close();
  expect(threads).toEqual([]);
  // Lets go of the writer that still waits for a reader.
  await (await open(path, 'r+')).close();
});

test('when the thread is far behind, lines are left out with a gap in their place', async () => {
  const { path, diagnostics, recording } = record('a.trace', { maxWaiting: 2_000 });
  // Nothing is handed over before this turn of the loop is over.
  for (let n = 0; n < 100; n += 1) recording.lines('cli', [`{"n":${n}}`]);
  recording.eof('host');
  await recording.close();
  expect(diagnostics.map(({ code }) => code)).toEqual(['RECORDING_GAP']);
  const entries = await entriesOf(path);
  const kept = entries.filter(({ kind }) => kind === 'line').length;
  expect(kept).toBeGreaterThan(0);
  expect(entries.slice(-2)).toMatchObject([{ kind: 'gap', lines: 100 - kept }, { kind: 'eof' }]);
});

test('lines that are left out at the very end have their gap too', async () => {
  const { path, recording } = record('a.trace', { maxWaiting: 2_000 });
  for (let n = 0; n < 100; n += 1) recording.lines('cli', [`{"n":${n}}`]);
  await recording.close();
  const entries = await entriesOf(path);
  const kept = entries.filter(({ kind }) => kind === 'line').length;
  expect(entries.at(-1)).toMatchObject({ kind: 'gap', lines: 100 - kept });
});

test('rules are kept to wherever they stand in the options', async () => {
  const rules = { rules: [{ find: 'mine' }] };
  const { path, recording } = record('a.trace', { redact: Object.create(rules) });
  recording.lines('cli', ['{"text":"mine"}']);
  await recording.close();
  expect(threads).toEqual([expect.anything()]);
  expect(readFileSync(path, 'utf8')).not.toContain('mine');
});

test('one that names no environment has secrets of the present one taken out, not of when the thread began', async () => {
  const first = record('first.trace');
  vi.stubEnv('MY_API_TOKEN', 'set-a-moment-ago');
  const { path, recording } = record('a.trace', { redact: { env: undefined } });
  recording.lines('cli', ['{"text":"set-a-moment-ago"}']);
  await Promise.all([first.recording.close(), recording.close()]);
  expect(readFileSync(path, 'utf8')).not.toContain('set-a-moment-ago');
});

test('a recording that was not done in time says so', async () => {
  const { recording, diagnostics } = record('a.trace', { closeWaitMs: 0 });
  recording.lines('cli', ['{"n":1}']);
  await recording.close();
  expect(diagnostics).toMatchObject([
    { code: 'RECORDING_FAILED', message: expect.stringContaining('within 0 ms') },
  ]);
});
