import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Patch } from '../../../../src/host/patches/patch.js';
import { builtinPatches, loadPatches, orderPatches } from '../../../../src/host/patches/registry.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coxswain-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const patch = (id: string, more: Partial<Patch> = {}): Patch => ({
  id,
  description: id,
  apply: () => ({ success: true, details: [] }),
  ...more,
});

describe('orderPatches', () => {
  test('sorts by priority, then by id, and leaves out disabled patches', () => {
    const ordered = orderPatches([
      patch('c'),
      patch('b', { priority: 200 }),
      patch('a'),
      patch('d', { priority: 1 }),
      patch('e', { disabled: true }),
    ]);
    expect(ordered.map(({ id }) => id)).toEqual(['d', 'a', 'c', 'b']);
  });

  test('lets a later patch with the same id replace an earlier one', () => {
    const ordered = orderPatches([...builtinPatches, patch('005-mcp-tools', { disabled: true })]);
    expect(ordered.map(({ id }) => id)).not.toContain('005-mcp-tools');
  });
});

describe('loadPatches', () => {
  const source = (id: string) =>
    `{ id: '${id}', description: 'd', apply: () => ({ success: true, details: [] }) }`;

  test('loads every module of the folder, with its patch by name or by default', async () => {
    await writeFile(join(folder, '2-named.mjs'), `export const patch = ${source('two')};`);
    await writeFile(join(folder, '1-default.mjs'), `export default ${source('one')};`);
    await writeFile(join(folder, 'notes.txt'), 'not a patch');
    expect((await loadPatches(folder)).map(({ id }) => id)).toEqual(['one', 'two']);
  });

  test('names a file that is not a patch or does not load, and a missing folder', async () => {
    const wrong = join(folder, '3-wrong.mjs');
    await writeFile(wrong, 'export const patch = { id: 1 };');
    const refusal = { code: 'PATCH_INVALID', message: expect.stringContaining('3-wrong.mjs') };
    await expect(loadPatches(folder)).rejects.toMatchObject(refusal);
    await writeFile(wrong, 'this is no JavaScript');
    await expect(loadPatches(folder)).rejects.toMatchObject({ code: 'PATCH_INVALID' });
    await expect(loadPatches(join(folder, 'none'))).rejects.toMatchObject({
      message: expect.stringContaining('none'),
    });
  });
});
