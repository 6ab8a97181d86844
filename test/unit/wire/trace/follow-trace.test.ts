import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followTrace } from '../../../../src/wire/trace/inspect/follow-trace.js';

test('a line longer than one read, split within a character, arrives unchanged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-follow-'));
  const file = join(folder, 'a.trace');
  // Three bytes each: a quarter of a mebibyte does not end between two of them.
  const text = Array.from({ length: 200_000 }, (_, n) => String.fromCharCode(0x4e00 + (n % 20_000))).join('');
  const bytes = Buffer.from(`{"v":1,"kind":"line","t":1,"from":"cli","frame":{"text":"${text}"}}\n`);
  const ending = new AbortController();
  const batches = followTrace(file, { signal: ending.signal });
  try {
    writeFileSync(file, '{"v":1,"kind":"eof","t":0,"from":"host"}\n');
    expect((await batches.next()).value).toMatchObject([{ at: 1, entry: { kind: 'eof' } }]);
    const rest = batches.next();
    appendFileSync(file, bytes.subarray(0, 300_001));
    appendFileSync(file, bytes.subarray(300_001));
    expect((await rest).value).toMatchObject([{ at: 2, entry: { kind: 'line', frame: { text } } }]);
  } finally {
    ending.abort();
    await batches.return();
    rmSync(folder, { recursive: true, force: true });
  }
});
