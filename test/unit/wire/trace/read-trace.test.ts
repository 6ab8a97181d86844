import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { traceInfo } from '../../../../src/wire/trace/analysis/trace-info.js';
import { decodeEntry, upgradeEntry } from '../../../../src/wire/trace/read/decode-entry.js';
import { loadTrace } from '../../../../src/wire/trace/read/read-trace.js';
import { runSources } from '../../../support/run-sources.js';

const RECORDINGS = 'test/recordings';
const GOLDEN = ['2.0.73', '2.1.326'].map((version) => `${RECORDINGS}/${version}/note.trace`);

describe('reading a recording', () => {
  test.each(GOLDEN)('of version 1 returns every entry: %s', async (path) => {
    const entries = await loadTrace(path);
    expect(entries[0]?.entry).toMatchObject({ kind: 'header', writer: 'coxswain', redacted: true });
    expect(entries.at(-1)?.entry).toMatchObject({ kind: 'end' });
    expect(entries.filter(({ entry }) => entry.kind === 'broken' || entry.kind === 'unknown')).toEqual([]);
  });

  test('of a newer version fails with one clear sentence', async () => {
    await expect(loadTrace(`${RECORDINGS}/from-the-future.trace`)).rejects.toMatchObject({
      code: 'TRACE_TOO_NEW',
      message:
        'The recording has format version 99, but this version of coxswain reads only up to 1. Update coxswain.',
    });
  });

  test('that is empty, missing or something else fails with one clear sentence', async () => {
    const code = 'TRACE_INVALID';
    const empty = expect.stringContaining('is not a recording: it is empty.');
    await expect(loadTrace(`${RECORDINGS}/empty.trace`)).rejects.toMatchObject({ code, message: empty });
    await expect(loadTrace('package.json')).rejects.toMatchObject({
      code,
      message: 'package.json is not a recording: its first line is not a header.',
    });
    await expect(loadTrace('no/such/file')).rejects.toMatchObject({
      code,
      message: expect.stringContaining('ENOENT'),
    });
  });

  test('that is truncated returns all but its last line, and reports it', async () => {
    const last = (await loadTrace(`${RECORDINGS}/cut.trace`)).at(-1);
    expect(last?.entry).toMatchObject({ kind: 'broken', cut: true });
    const { remarks, end, turns } = await traceInfo(`${RECORDINGS}/cut.trace`);
    expect(end).toBeUndefined();
    expect(turns).toBe(1);
    expect(remarks).toEqual([
      'The last line is incomplete: the writer was stopped.',
      'Incomplete: the end of the session was not recorded.',
    ]);
  });

  test('with broken lines continues after them', async () => {
    const { broken, lines, turns } = await traceInfo(`${RECORDINGS}/broken-lines.trace`);
    const whole = await traceInfo(`${RECORDINGS}/2.0.73/note.trace`);
    expect(broken).toBe(3);
    expect({ lines, turns }).toEqual({ lines: whole.lines, turns: whole.turns });
  });

  test('keeps entries of unknown kinds, and incomplete headers', () => {
    expect(decodeEntry('{"v":1,"kind":"bookmark","t":1}')).toEqual({
      kind: 'unknown',
      entry: { v: 1, kind: 'bookmark', t: 1 },
    });
    expect(decodeEntry('{"v":1,"kind":"header"}')).toMatchObject({
      kind: 'header',
      argv: [],
      redacted: false,
    });
  });

  test('accepts other key orders', () => {
    expect(decodeEntry('{"kind":"line","frame":{"type":"x"},"from":"cli","t":2,"v":1}')).toEqual({
      kind: 'line',
      t: 2,
      from: 'cli',
      line: '{"type":"x"}',
      frame: { type: 'x' },
    });
  });

  test('upgrades an old entry one version at a time', () => {
    const steps = {
      1: ({ old, ...entry }: Readonly<Record<string, unknown>>) => ({ ...entry, middle: old }),
      2: ({ middle, ...entry }: Readonly<Record<string, unknown>>) => ({ ...entry, fresh: middle }),
    };
    expect(upgradeEntry({ old: 1 }, 1, steps)).toEqual({ fresh: 1 });
    expect(upgradeEntry({ middle: 1 }, 2, steps)).toEqual({ fresh: 1 });
  });
});

/** Run in a process of its own: the heap of this one is shared with other tests. */
const readingProgram = (path: string) => `
  import { filterTrace } from './src/wire/trace/analysis/filter.ts';
  const held = () => {
    gc();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = held();
  let [count, most] = [0, 0];
  for await (const _ of filterTrace(${JSON.stringify(path)})) {
    count += 1;
    if (count % 5_000 === 0) most = Math.max(most, held() - before);
  }
  console.log(JSON.stringify({ count, most }));
`;

describe('a long recording', () => {
  let folder = '';
  let path = '';
  const LINES = 60_000;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coxswain-long-'));
    path = join(folder, 'long.trace');
    const file = createWriteStream(path);
    file.write(
      '{"v":1,"kind":"header","startedAt":"x","argv":[],"platform":"linux","arch":"x64","writer":"x","redacted":true}\n',
    );
    const text = 'x'.repeat(4_000);
    for (let n = 0; n < LINES; n += 1) {
      const line = `{"v":1,"kind":"line","t":${n},"from":"cli","frame":{"type":"n","n":${n},"text":"${text}"}}\n`;
      if (!file.write(line)) await once(file, 'drain');
    }
    file.end();
    await once(file, 'close');
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is read without holding it in memory', async () => {
    const { stdout } = await runSources(readingProgram(path), '--expose-gc');
    const { count, most } = JSON.parse(stdout);
    expect(count).toBe(LINES);
    // The file has 240 MB.
    expect(most).toBeLessThan(40 * 1024 * 1024);
  });
});
