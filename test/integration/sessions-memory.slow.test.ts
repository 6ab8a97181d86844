import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { link, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assistant, id, SESSION, user } from '../support/transcripts.js';

const MESSAGES = 20_000;
const HEAP_MB = 40;
let configDir = '';

beforeAll(async () => {
  configDir = await mkdtemp(join(tmpdir(), 'sessions-memory-'));
  const folder = join(configDir, 'projects', '-work-project');
  await mkdir(folder, { recursive: true });
  await pipeline(Readable.from(lines()), createWriteStream(join(folder, `${SESSION}.jsonl`)));
});

afterAll(() => rm(configDir, { recursive: true, force: true }));

/** A conversation of a hundred megabytes. */
function* lines(): Generator<string> {
  const text = 'x'.repeat(4700);
  for (let number = 0; number < MESSAGES; number += 1) {
    const parent = number === 0 ? null : number - 1;
    const make = number % 2 === 0 ? user : assistant;
    yield `${JSON.stringify(make(number, parent, text))}\n`;
  }
}

test('a 100 MB transcript can be paged with a heap of 40 MB', async () => {
  const args = [
    `--max-old-space-size=${HEAP_MB}`,
    'test/fixtures/page-through.mjs',
    configDir,
    SESSION,
    String(MESSAGES),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { seen, listed, size } = JSON.parse(stdout) as { seen: number[]; listed: string; size: number };
  expect(seen).toEqual([0, 1, 2, 10_000, 10_001, 10_002, 19_997, 19_998, 19_999]);
  expect(listed).toBe(id(1));
  expect(size).toBeGreaterThan(100_000_000);
});

test('5,000 transcripts of 16 KB are listed with a heap of 40 MB', async () => {
  const many = join(configDir, 'many');
  const folder = join(many, 'projects', '-work-project');
  await mkdir(folder, { recursive: true });
  const one = join(many, 'one.jsonl');
  const entries = [user(1, null, 'Hello there'), assistant(2, 1, 'x'.repeat(16 * 1024))];
  await writeFile(one, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  // Hard links of one file take no space, and are read like separate files.
  const names = Array.from({ length: 5_000 }, (_, number) => join(folder, `${id(number)}.jsonl`));
  await Promise.all(names.map((name) => link(one, name)));
  const args = [`--max-old-space-size=${HEAP_MB}`, 'test/fixtures/list-all.mjs', many];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual({ count: 5_000, prompts: 1 });
});
