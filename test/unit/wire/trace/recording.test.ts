import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { echoPartner } from '../../../../src/lab/testing/contracts/echo-partner.js';
import { transportContract } from '../../../../src/lab/testing/contracts/transport.js';
import { loadTrace } from '../../../../src/wire/trace/read/read-trace.js';
import { recordLaunch } from '../../../../src/wire/trace/record/record-launch.js';
import { recordTransport } from '../../../../src/wire/trace/record/record-transport.js';
import { startRecording } from '../../../../src/wire/trace/record/recording.js';
import { traceFile } from '../../../../src/wire/trace/record/trace-file.js';
import { firstRun } from '../../../../src/wire/trace/replay/replay-transport.js';
import { memoryPair } from '../../../../src/wire/transport/memory.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';
import { ManualClock } from '../../../support/manual-clock.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-trace-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const RAW = { redact: false } as const;

/** A sink that keeps its input. */
function memorySink() {
  const texts: string[] = [];
  return { texts, write: (text: string) => void texts.push(text) };
}

describe('a recorded transport', () => {
  for (const { name, run } of transportContract(() => {
    const [near, far] = memoryPair();
    echoPartner(far);
    return recordTransport(near, startRecording({ to: memorySink(), ...RAW }));
  })) {
    test(name, run);
  }

  test('writes both directions, the end of input and the end, and passes everything on', async () => {
    const path = join(folder, 'a.trace');
    const [near, far] = memoryPair();
    echoPartner(far);
    const seen: string[] = [];
    const transport = recordTransport(
      near,
      startRecording({ to: path, ...RAW }, { argv: ['claude'], cwd: '/srv' }),
    );
    transport.start((lines) => seen.push(...lines));
    const line = '{"type":"user",  "n":1.0}';
    await transport.send(line);
    await transport.send('Debugger attached.');
    await transport.close();
    expect(seen).toEqual([line, 'Debugger attached.']);
    const entries = (await loadTrace(path)).map(({ entry }) => entry);
    expect(entries).toMatchObject([
      { kind: 'header', argv: ['claude'], cwd: '/srv', redacted: false, writer: 'coxswain' },
      { kind: 'line', from: 'host', line, frame: { type: 'user', n: 1 } },
      { kind: 'line', from: 'cli', line },
      { kind: 'line', from: 'host', line: 'Debugger attached.', frame: undefined },
      { kind: 'line', from: 'cli', line: 'Debugger attached.', frame: undefined },
      { kind: 'eof', from: 'host' },
      { kind: 'end', end: { reason: 'closed' } },
    ]);
  });
});

describe('a recording', () => {
  test('records when each line arrived, and inserts it unchanged', () => {
    const sink = memorySink();
    const clock = new ManualClock();
    const recording = startRecording({ to: sink, ...RAW }, {}, { clock });
    clock.advance(12.34);
    recording.lines('cli', ['{"type":"x","big":1e400}']);
    expect(sink.texts[1]).toBe(
      '{"v":1,"kind":"line","t":12.3,"from":"cli","frame":{"type":"x","big":1e400}}\n',
    );
  });

  test('learns the session and the version from the first init', async () => {
    const sink = memorySink();
    const recording = startRecording({ to: sink, ...RAW });
    recording.lines('cli', [
      '{"type":"system","subtype":"init","session_id":"s1","claude_code_version":"2.1.326"}',
    ]);
    recording.lines('cli', [
      '{"type":"system","subtype":"init","session_id":"s2","claude_code_version":"2.1.326"}',
    ]);
    const facts = (await loadTrace({ text: sink.texts.join('') })).filter(
      ({ entry }) => entry.kind === 'facts',
    );
    expect(facts).toMatchObject([{ entry: { sessionId: 's1', cliVersion: '2.1.326' } }]);
  });

  test('keeps what only looks like an object as text, even in a flood', async () => {
    const sink = memorySink();
    const recording = startRecording({ to: sink, ...RAW });
    const broken = '{"type":"assis{"type":"result"}';
    recording.lines('cli', [broken]);
    recording.lines(
      'cli',
      Array.from({ length: 20 }, () => broken),
    );
    const lines = (await loadTrace({ text: sink.texts.join('') })).slice(1);
    expect(lines).toHaveLength(21);
    expect(lines.every(({ entry }) => entry.kind === 'line' && entry.line === broken)).toBe(true);
    expect(lines.every(({ entry }) => entry.kind === 'line' && entry.frame === undefined)).toBe(true);
  });

  test('is a file that only its owner may read', async () => {
    const path = join(folder, 'deep', 'a.trace');
    const recording = startRecording(path);
    await recording.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['a path that cannot be created', () => join(folder, 'file', 'a.trace')],
    ['a deeper one', () => join(folder, 'file', 'deep', 'a.trace')],
    ['a full disk', () => '/dev/full'],
  ])('on %s reports it once and does no harm', async (_, path) => {
    await startRecording(join(folder, 'file')).close();
    const diagnostics: Diagnostic[] = [];
    const [near, far] = memoryPair();
    echoPartner(far);
    const recording = startRecording(
      path(),
      {},
      { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) },
    );
    const transport = recordTransport(near, recording);
    const seen: string[] = [];
    transport.start((lines) => seen.push(...lines));
    await transport.send('{"type":"user"}');
    await transport.send('{"type":"user"}');
    expect(await transport.close()).toEqual({ reason: 'closed' });
    expect(seen).toHaveLength(2);
    expect(diagnostics).toMatchObject([{ code: 'RECORDING_FAILED', path: path() }]);
  });

  test('with a writer that throws stops, and reports it once', () => {
    const diagnostics: Diagnostic[] = [];
    const write = () => {
      throw new Error('no more');
    };
    const recording = startRecording(
      { to: { write } },
      {},
      { onDiagnostic: (each) => diagnostics.push(each) },
    );
    recording.lines('cli', ['{}']);
    expect(diagnostics).toMatchObject([
      { code: 'RECORDING_FAILED', message: expect.stringContaining('no more') },
    ]);
  });

  test.each([
    ['a promise', () => Promise.reject(new Error('no more'))],
    ['a promise of another realm', () => runInNewContext("Promise.reject(new Error('no more'))")],
  ])('with a writer that fails later, by %s, stops too, without an unhandled rejection', async (_, write) => {
    const diagnostics: Diagnostic[] = [];
    const onDiagnostic = (each: Diagnostic) => void diagnostics.push(each);
    const recording = startRecording({ to: { write } }, {}, { onDiagnostic });
    recording.lines('cli', ['{}']);
    await recording.close();
    expect(diagnostics).toMatchObject([
      { code: 'RECORDING_FAILED', message: expect.stringContaining('no more') },
    ]);
  });

  test('keeps how the CLI ended even if lines are dropped, and reports that once', async () => {
    const diagnostics: Diagnostic[] = [];
    const onDiagnostic = (each: Diagnostic) => void diagnostics.push(each);
    const path = join(folder, 'a.trace');
    const recording = startRecording({ to: path, maxWaiting: 1_000, ...RAW }, {}, { onDiagnostic });
    for (let count = 0; count < 1_000; count += 1) recording.lines('cli', [`{"n":${count}}`]);
    recording.end({ reason: 'closed' });
    await recording.close();
    const kinds = (await loadTrace(path)).map(({ entry }) => entry.kind);
    expect(kinds.slice(-2)).toEqual(['gap', 'end']);
    expect(diagnostics.map(({ code }) => code)).toEqual(['RECORDING_GAP']);
  });

  test('removes the secrets of the CLI’s environment', async () => {
    const sink = memorySink();
    const [near, far] = memoryPair();
    echoPartner(far);
    const env = { MY_PASSWORD: 'correct-horse-battery' };
    const transport = recordLaunch(sink, { transport: near, version: Promise.resolve(undefined), env }, {});
    await transport.send('{"text":"correct-horse-battery"}');
    expect(sink.texts.join('')).toContain('{"text":"<secret>"}');
    await transport.close();
  });

  test('finds the session wherever the type is in a message', () => {
    const sink = memorySink();
    const recording = startRecording({ to: sink, ...RAW });
    recording.lines('cli', ['{"session_id":"s1","subtype":"init","type":"system"}']);
    expect(sink.texts.join('')).toContain('"sessionId":"s1"');
  });

  test('writes a gap instead of lines that a slow writer did not accept', () => {
    const texts: string[] = [];
    const diagnostics: Diagnostic[] = [];
    let open = true;
    const write = (text: string) => {
      if (open) texts.push(text);
      return open;
    };
    const recording = startRecording(
      { to: { write } },
      {},
      { onDiagnostic: (each) => diagnostics.push(each) },
    );
    open = false;
    recording.lines('cli', ['{"lost":1}', '{"lost":2}']);
    recording.lines('cli', ['{"lost":3}']);
    open = true;
    recording.lines('cli', ['{"kept":1}']);
    expect(texts.slice(1).map((text) => JSON.parse(text))).toMatchObject([
      { kind: 'gap', lines: 3 },
      { kind: 'line', frame: { kept: 1 } },
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['RECORDING_GAP']);
  });

  test('stops at its limit, with a last entry in the file and a diagnostic', async () => {
    const path = join(folder, 'a.trace');
    const diagnostics: Diagnostic[] = [];
    const recording = startRecording(
      { to: path, maxBytes: 2_000 },
      {},
      { onDiagnostic: (each) => diagnostics.push(each) },
    );
    for (let count = 0; count < 100; count += 1) recording.lines('cli', [`{"n":${count}}`]);
    await recording.close();
    const entries = await loadTrace(path);
    expect(statSync(path).size).toBeLessThan(2_100);
    expect(entries.at(-1)?.entry).toEqual({ kind: 'full', limit: 2_000 });
    expect(diagnostics).toMatchObject([{ code: 'RECORDING_FULL', path }]);
  });

  test('rotates on request: each part is a recording, and only some are kept', async () => {
    const path = join(folder, 'a.trace');
    const recording = startRecording({ to: path, maxBytes: 1_000, whenFull: 'rotate', keep: 2 });
    recording.facts({ cliVersion: '2.1.326' });
    for (let count = 0; count < 100; count += 1) recording.lines('cli', [`{"n":${count}}`]);
    await recording.close();
    expect(readdirSync(folder).sort()).toEqual(['a.trace', 'a.trace.1', 'a.trace.2']);
    const parts = await Promise.all([`${path}.2`, `${path}.1`, path].map((part) => loadTrace(part)));
    for (const part of parts)
      expect(part.map(({ entry }) => entry.kind).slice(0, 2)).toEqual(['header', 'facts']);
    const numbers = parts
      .flat()
      .flatMap(({ entry }) => (entry.kind === 'line' ? [Number(entry.frame?.n)] : []));
    expect(numbers).toEqual(Array.from(numbers, (_, index) => 99 - (numbers.length - 1 - index)));
  });

  test.each([
    ['stop', [] as const],
    ['rotate', ['a.trace.1', 'a.trace.2', 'a.trace.3'] as const],
  ] as const)(
    'stays within its limit, line by line, when many lines arrive at once: %s',
    async (whenFull, aside) => {
      const path = join(folder, 'a.trace');
      const recording = startRecording({ to: path, maxBytes: 4_000, whenFull, keep: 99 });
      recording.lines(
        'cli',
        Array.from({ length: 200 }, (_, n) => `{"n":${n}}`),
      );
      await recording.close();
      const names = readdirSync(folder).sort();
      expect(names.slice(0, aside.length + 1)).toEqual(['a.trace', ...aside]);
      for (const name of names) {
        const { size } = statSync(join(folder, name));
        expect(size).toBeLessThan(4_100);
        if (name !== 'a.trace' || whenFull === 'stop') expect(size).toBeGreaterThan(3_900);
      }
    },
  );

  test('numbers its parts, so that they can be joined again', async () => {
    const path = join(folder, 'a.trace');
    const recording = startRecording({ to: path, maxBytes: 4_000, whenFull: 'rotate', keep: 99 });
    for (let n = 0; n < 100; n += 1) recording.lines('host', [`{"n":${n}}`]);
    // Longer than a whole file: it gets its own.
    recording.lines('host', [JSON.stringify({ n: 100, long: 'x'.repeat(9_000) })]);
    recording.lines('host', ['{"n":101}']);
    await recording.close();
    const count = readdirSync(folder).length;
    const paths = Array.from({ length: count }, (_, index) =>
      index === count - 1 ? path : `${path}.${count - 1 - index}`,
    );
    const text = paths.map((each) => readFileSync(each, 'utf8')).join('');
    const entries = await loadTrace({ text });
    const headers = entries.flatMap(({ entry }) => (entry.kind === 'header' ? [entry.part] : []));
    expect(headers).toEqual([undefined, ...Array.from({ length: count - 1 }, (_, index) => index + 2)]);
    const numbers = firstRun(entries).flatMap(({ entry }) =>
      entry.kind === 'line' ? [Number(entry.frame?.n)] : [],
    );
    expect(numbers).toEqual(Array.from({ length: 102 }, (_, n) => n));
  });

  test('stays within its memory limit if the disk does not respond', () => {
    const path = join(folder, 'a.trace');
    const diagnostics: Diagnostic[] = [];
    const recording = startRecording(
      { to: path, maxWaiting: 1_000 },
      {},
      { onDiagnostic: (each) => diagnostics.push(each) },
    );
    for (let count = 0; count < 100; count += 1) recording.lines('cli', [`{"n":${count}}`]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['RECORDING_GAP']);
  });

  test('accepts a text longer than the limit, and nothing after it until there is room', async () => {
    const file = traceFile(join(folder, 'a.trace'), { maxWaiting: 1_000 });
    const long = `${'x'.repeat(5_000)}\n`;
    expect([file.write('a\n'), file.write(long), file.write('b\n')]).toEqual([true, true, false]);
    await file.close?.();
    expect(readFileSync(file.path, 'utf8')).toBe(`a\n${long}`);
  });

  test('leaves a given file open', async () => {
    const file = traceFile(join(folder, 'a.trace'));
    const recording = startRecording({ to: file, ...RAW });
    recording.lines('cli', ['{"n":1}']);
    await recording.close();
    expect(file.write('behind\n')).toBe(true);
    await file.close?.();
    expect(readFileSync(file.path, 'utf8')).toMatch(/"frame":\{"n":1\}\}\nbehind\n$/);
  });

  test('waits for a hanging disk only for a limited time', async () => {
    const clock = new ManualClock();
    const recording = startRecording({ to: join(folder, 'a.trace') }, {}, { clock });
    const closed = recording.close();
    clock.advance(2_000);
    expect(await closed).toBeUndefined();
  });
});
