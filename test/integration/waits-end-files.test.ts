import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkTranscripts } from '../../src/host/transcripts/check/check-transcripts.js';
import { filterTrace, readTrace, traceCut, tracePage, validateTrace } from '../../src/wire/trace/index.js';

// Reading from files ends too, whenever the reader leaves, and leaves no file open.

let folder = '';
let recording = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coxswain-waits-'));
  const line = JSON.stringify({
    type: 'user',
    uuid: 'u',
    sessionId: 's',
    message: { role: 'user', content: 'x' },
  });
  const [header, ...entries] = (await readFile(resolve('test/recordings/2.1.326/note.trace'), 'utf8')).split(
    '\n',
  );
  recording = join(folder, 'long.trace');
  // Longer than one read of a file.
  await writeFile(
    recording,
    [header, ...Array.from({ length: 12 }, () => entries.join('\n').trim())].join('\n'),
  );
  for (const name of ['a', 'b', 'c']) await writeFile(join(folder, `${name}.jsonl`), `${line}\n`.repeat(500));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const streams: Readonly<Record<string, () => AsyncGenerator<unknown>>> = {
  'readTrace()': () => readTrace(recording),
  'filterTrace()': () => filterTrace(recording),
  'traceCut()': () => traceCut(recording),
  'tracePage()': () => tracePage(recording),
  'validateTrace()': () => validateTrace(recording),
  'checkTranscripts()': () => checkTranscripts(folder),
};

const plans = fc.array(fc.constantFrom('read', 'read twice', 'pause'), { maxLength: 6 });
const ends = fc.constantFrom('return', 'throw', 'return unread', 'break');

describe.each(Object.entries(streams))('every wait of a reader of %s ends', (_name, open) => {
  test('whatever happens and when', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(plans, ends, async (plan, end) => {
        const stream = open();
        const reads: Promise<unknown>[] = [];
        for (const act of plan) {
          if (act === 'pause') await new Promise((done) => setImmediate(done));
          else reads.push(stream.next());
          if (act === 'read twice') reads.push(stream.next());
        }
        reads.push(ended(stream, end));
        await Promise.allSettled(reads);
        await expect(stream.next()).resolves.toEqual({ done: true, value: undefined });
      }),
      {
        numRuns: 12,
        examples: [
          [[], 'return'],
          [['read twice'], 'throw'],
        ],
      },
    );
    await vi.waitFor(async () => expect(await openFiles()).toEqual([]), { timeout: 20_000 });
  });
});

async function ended(stream: AsyncGenerator<unknown>, end: string): Promise<void> {
  if (end === 'return') await stream.return(undefined);
  else if (end === 'throw') await stream.throw(new Error('left'));
  else if (end === 'break') for await (const _each of stream) break;
  else for await (const _each of stream);
}

/** The files of these tests that this process has open. */
async function openFiles(): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [];
  const names = await readdir('/proc/self/fd');
  const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder));
}
