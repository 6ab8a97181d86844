import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodes } from '../../src/util/error-codes.js';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('error-codes.ts'))
  .map((name) => readFileSync(join('src', name), 'utf8'))
  .join('\n');

test.each(Object.keys(errorCodes))('%s is a code that something raises', (code) => {
  expect(sources).toContain(`'${code}'`);
});

test.each(Object.entries(errorCodes))('%s has one plain sentence', (_, sentence) => {
  expect(sentence).toMatch(/^[A-Za-z][^\n|]*\.$/);
});
