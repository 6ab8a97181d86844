import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodes } from '../../src/wire/util/error-codes.js';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('error-codes.ts'))
  .map((name) => readFileSync(join('src', name), 'utf8'))
  .join('\n');

test('every code is used', () => {
  expect(Object.keys(errorCodes).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});

test.each(Object.entries(errorCodes))('%s has one plain sentence', (_, sentence) => {
  expect(sentence).toMatch(/^[A-Za-z][^\n|]*\.$/);
});
