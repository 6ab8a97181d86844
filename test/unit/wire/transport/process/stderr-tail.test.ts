import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { StderrTail } from '../../../../../src/wire/transport/process/stderr-tail.js';
import { settle } from '../../../../support/settle.js';

test('keeps the end of the output, and never more than 16 Ki characters', async () => {
  const stderr = new PassThrough();
  const tail = new StderrTail(stderr);
  for (let index = 0; index < 2000; index += 1) stderr.write(`line ${index} ${'x'.repeat(100)}\n`);
  stderr.end('the end');
  await once(stderr, 'end');
  expect(tail.text.length).toBe(16 * 1024);
  expect(tail.text.endsWith('the end')).toBe(true);
});

test('passes on text as it arrives, with split characters joined', async () => {
  const stderr = new PassThrough();
  const texts: string[] = [];
  const tail = new StderrTail(stderr, (text) => texts.push(text));
  const bytes = Buffer.from('a€b');
  for (const byte of bytes) stderr.write(Buffer.from([byte]));
  stderr.end();
  await once(stderr, 'end');
  expect(texts.join('')).toBe('a€b');
  expect(texts).not.toContain('');
  expect(tail.text).toBe('a€b');
});

test('a stream that breaks is not our error', async () => {
  const stderr = new PassThrough();
  const tail = new StderrTail(stderr);
  stderr.write('before');
  await settle();
  stderr.destroy(new Error('EIO'));
  await new Promise((resolve) => stderr.once('close', resolve));
  expect(tail.text).toBe('before');
});
