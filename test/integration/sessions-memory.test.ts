import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
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

test('a transcript of 100 MB is paged through with a heap of 40 MB', async () => {
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
