import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { query } from '../../../../src/entry/compat/query/query.js';
import { fakeCli, typesOf } from './fake-process.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compat-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('all traffic is recorded on request, to a file', async () => {
  const record = join(folder, 'session.trace');
  await typesOf(query({ prompt: 'hi', options: fakeCli().options, record }));
  await vi.waitFor(() => expect(readFileSync(record, 'utf8')).toContain('"kind":"end"'));
  const trace = readFileSync(record, 'utf8');
  expect(trace).toContain('"from":"host","frame":{"type":"user"');
  expect(trace).toContain('"type":"result"');
});

test('all traffic is recorded on request, to a writer', async () => {
  const texts: string[] = [];
  const record = { to: { write: (text: string) => void texts.push(text) }, redact: false } as const;
  await typesOf(query({ prompt: 'sk-ant-api03-abcdefgh', options: fakeCli().options, record }));
  expect(texts.join('')).toContain('sk-ant-api03-abcdefgh');
});

test('a recording that cannot be written gives a warning, and does no harm', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  try {
    const record = join(file, 'session.trace');
    expect(await typesOf(query({ prompt: 'hi', options: fakeCli().options, record }))).toEqual([
      'system',
      'result',
    ]);
    const wanted = [expect.stringContaining('was stopped'), { code: 'COXSWAIN_RECORDING_FAILED' }];
    await vi.waitFor(() => expect(warned).toHaveBeenCalledWith(...wanted));
  } finally {
    warned.mockRestore();
  }
});
