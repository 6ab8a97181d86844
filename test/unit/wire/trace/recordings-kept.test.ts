import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { query } from '../../../../src/entry/compat/query/query.js';
import { openSession } from '../../../../src/entry/sdk/open-session.js';
import { loadTrace } from '../../../../src/wire/trace/read/read-trace.js';
import { type RecordOptions, startRecording } from '../../../../src/wire/trace/record/recording.js';
import { traceFile } from '../../../../src/wire/trace/record/trace-file.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-kept-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function record(options: RecordOptions) {
  const diagnostics: Diagnostic[] = [];
  const recording = startRecording(options, {}, { onDiagnostic: (each) => diagnostics.push(each) });
  return { recording, diagnostics };
}

describe('a recording to a name that is taken', () => {
  test('uses the next free name, and reports it', async () => {
    const to = join(folder, 'a.trace');
    writeFileSync(to, 'precious');
    const { recording, diagnostics } = record({ to });
    recording.lines('cli', ['{"n":1}']);
    await recording.close();
    expect(readFileSync(to, 'utf8')).toBe('precious');
    expect(recording.path).toBe(join(folder, 'a-2.trace'));
    expect(await loadTrace(join(folder, 'a-2.trace'))).toHaveLength(2);
    expect(diagnostics).toMatchObject([{ code: 'RECORDING_BESIDE', path: join(folder, 'a-2.trace') }]);
  });

  test('leaves one that is being written alone', async () => {
    const to = join(folder, 'a.trace');
    const both = [record({ to }).recording, record({ to }).recording];
    for (const [n, recording] of both.entries()) recording.lines('cli', [`{"n":${n}}`]);
    await Promise.all(both.map((recording) => recording.close()));
    const frames = await Promise.all(['a.trace', 'a-2.trace'].map((name) => loadTrace(join(folder, name))));
    expect(frames.map((entries) => entries[1]?.entry)).toMatchObject([
      { frame: { n: 0 } },
      { frame: { n: 1 } },
    ]);
  });

  test('does not rotate over the parts of an earlier one', async () => {
    const to = join(folder, 'a.trace');
    writeFileSync(`${to}.1`, 'precious');
    const { recording } = record({ to, maxBytes: 300, whenFull: 'rotate' });
    for (let n = 0; n < 20; n += 1) recording.lines('cli', [JSON.stringify({ n, text: 'x'.repeat(50) })]);
    await recording.close();
    expect(readFileSync(`${to}.1`, 'utf8')).toBe('precious');
    expect(existsSync(join(folder, 'a-2.trace.1'))).toBe(true);
  });

  test('is skipped or overwritten if requested', async () => {
    const to = join(folder, 'a.trace');
    writeFileSync(to, 'precious');
    const refused = record({ to, ifExists: 'fail' });
    await refused.recording.close();
    expect(refused.diagnostics).toMatchObject([{ code: 'RECORDING_FAILED' }]);
    expect(readFileSync(to, 'utf8')).toBe('precious');
    await record({ to, ifExists: 'replace' }).recording.close();
    expect(readFileSync(to, 'utf8')).toContain('"kind":"header"');
  });
});

describe('a recording to a Node stream', () => {
  test('has every line once, however slow the stream is, and leaves it open', async () => {
    const path = join(folder, 'a.trace');
    const stream = createWriteStream(path, { highWaterMark: 16 });
    const { recording, diagnostics } = record({ to: stream });
    for (let n = 0; n < 500; n += 1) recording.lines('cli', [`{"n":${n}}`]);
    await recording.close();
    expect({ open: stream.writable, listeners: stream.listenerCount('error') }).toEqual({
      open: true,
      listeners: 0,
    });
    stream.end();
    await finished(stream);
    const lines = (await loadTrace(path)).flatMap(({ entry }) =>
      entry.kind === 'line' ? [entry.frame] : [],
    );
    expect(lines).toEqual(Array.from({ length: 500 }, (_, n) => ({ n })));
    expect(diagnostics).toEqual([]);
  });

  test('drops lines with a gap if the stream buffers too much', async () => {
    const texts: string[] = [];
    let release = () => {};
    const stream = new Writable({
      write: (chunk, _encoding, done) => {
        texts.push(String(chunk));
        release = done;
      },
    });
    const { recording, diagnostics } = record({ to: stream, maxWaiting: 500, closeWaitMs: 10 });
    for (let n = 0; n < 50; n += 1) recording.lines('cli', [`{"n":${n}}`]);
    expect(diagnostics).toMatchObject([{ code: 'RECORDING_GAP' }]);
    expect(stream.writableLength).toBeLessThan(1_000);
    await recording.close();
    expect(diagnostics.map(({ code }) => code)).toEqual(['RECORDING_GAP', 'RECORDING_FAILED']);
    release();
  });

  test.each(['ended', 'failing'])('stops when it is %s, and does no harm', async (how) => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no room')) });
    if (how === 'ended') stream.end();
    const { recording, diagnostics } = record({ to: stream });
    recording.lines('cli', ['{}']);
    await recording.close();
    expect(diagnostics).toMatchObject([{ code: 'RECORDING_FAILED' }]);
  });
});

describe('an impossible number', () => {
  const wrong = [
    { maxBytes: Number.NaN },
    { maxBytes: -1 },
    { keep: 0 },
    { maxWaiting: '5' as unknown as number },
    { closeWaitMs: -5 },
  ];

  test.each(wrong)('is refused before anything is written or started: %o', async (options) => {
    const [name = ''] = Object.keys(options);
    const to = join(folder, 'a.trace');
    expect(() => startRecording({ to, ...options })).toThrow(name);
    expect(() => traceFile(to, options)).toThrow(name);
    await expect(openSession({ cli: '/nowhere', record: { to, ...options } })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringContaining(name),
    });
    expect(() => query({ prompt: 'hi', record: { to, ...options } })).toThrow(name);
    expect(existsSync(to)).toBe(false);
  });
});
