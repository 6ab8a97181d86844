import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleRecording } from '../fixtures/recordings/sample.mjs';

const MAIN = resolve('dist/command.js');
const [header = '', ...sample] = sampleRecording().trimEnd().split('\n');
const MEGABYTE = 1024 ** 2;

let folder = '';
let large = '';
let sparse = '';

/** A recording of 72 MB, and one that claims a gigabyte: commands that load a file must not even start with it. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-large-'));
  [large, sparse] = [join(folder, 'large.trace'), join(folder, 'sparse.trace')];
  const file = createWriteStream(large);
  const filler = `{"v":1,"kind":"line","t":99999,"from":"cli","frame":{"type":"keep_alive","text":"${'x'.repeat(32_000)}"}}\n`;
  file.write(`${[header, ...sample.slice(0, -2)].join('\n')}\n`);
  for (let size = 0; size < 72 * MEGABYTE; size += filler.length) {
    if (!file.write(filler)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  writeFileSync(sparse, `${header}\n`);
  truncateSync(sparse, 1024 * MEGABYTE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command with a heap of half the size of the file. */
function small(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      ['--max-old-space-size=48', MAIN, ...args],
      { maxBuffer: 64 * MEGABYTE },
      (error, out, err) => done({ code: Number(error?.code ?? 0), out, err }),
    );
    child.stdin?.end();
  });
}

describe('a recording that is larger than memory', () => {
  test('can be counted and searched', async () => {
    const info = await small('trace', 'info', large, '--json');
    expect(info).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(info.out).turns).toBe(8);
    expect(await small('trace', 'grep', 'nowhere to be found', large)).toMatchObject({ code: 10, out: '' });
  });

  test('does not fit in one page, and leaves no partial file; a part of it does', async () => {
    const page = join(folder, 'page.html');
    const whole = await small('trace', 'export', '--html', large, '-o', page, '--max-bytes', '8m');
    expect(whole.code).toBe(1);
    expect(whole.err).toContain('More than 8 MiB of large.trace would go into the page');
    expect(whole.err).toContain('--since');
    expect(() => statSync(page)).toThrow('ENOENT');
    const part = await small('trace', 'export', '--html', large, '-o', page, '--type', 'interrupt', '--json');
    expect(part).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(part.out)).toMatchObject({ schema: 1, output: page, bytes: statSync(page).size });
  });

  test('can be cut to a smaller recording that can be loaded', async () => {
    const cut = join(folder, 'cut.trace');
    expect(
      await small('trace', 'export', '--trace', large, '--until', '20s', '--type', 'result', '-o', cut),
    ).toMatchObject({
      code: 0,
    });
    expect(await small('trace', 'diff', cut, cut)).toMatchObject({ code: 0, out: 'no difference\n' });
  });

  test.each([
    ['diff', [() => sparse, () => sparse]],
    ['to-scenario', [() => sparse]],
    ['replay', [() => sparse, () => '--', () => process.execPath]],
  ])('is refused by %s, which would have to load it', async (command, words) => {
    const { code, err } = await small('trace', command, ...words.map((word) => word()));
    expect(code).toBe(1);
    expect(err).toContain('sparse.trace is 1024 MiB, but at most 128 MiB can be loaded');
    expect(err).toContain('trace export --trace --since');
  });
});
