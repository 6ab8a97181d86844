import { expect, test } from 'vitest';
import { nearestName } from '../../../../src/wire/util/nearest-name.js';

test.each([
  ['modle', 'model'],
  ['mdoel', 'model'],
  ['moddel', 'model'],
  ['cwdd', 'cwd'],
  ['colour', undefined],
])('%s means %s', (written, meant) => {
  expect(nearestName(written, ['model', 'cwd', 'env'])).toBe(meant);
});
