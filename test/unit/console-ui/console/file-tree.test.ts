import { describe, expect, it } from 'vitest';
import { lineEndsOf, withLineEnds } from '../../../../console-ui/console/files/drafts.js';
import { foldersAround, treeRows, treeStep } from '../../../../console-ui/console/files/tree-rows.js';

const folder = (path: string, ...names: string[]) => ({
  path,
  cut: false,
  entries: names.map((name) => ({
    name: name.replace('/', ''),
    kind: name.endsWith('/') ? ('folder' as const) : ('file' as const),
  })),
});
const folders = new Map([
  ['', folder('', 'docs/', 'src/', 'readme.md')],
  ['src', folder('src', 'lib/', 'index.ts')],
]);

describe('the rows of a file tree', () => {
  const rows = treeRows(folders, new Set(['src', 'src/lib']));

  it('are those of open folders that are known, with their levels', () => {
    expect(rows.map(({ path, level, isOpen }) => [path, level, isOpen])).toEqual([
      ['docs', 1, false],
      ['src', 1, true],
      ['src/lib', 2, true],
      ['src/index.ts', 2, undefined],
      ['readme.md', 1, undefined],
    ]);
  });

  it('are moved through, opened, closed and picked with keys', () => {
    const step = (at: string | undefined, key: string) => treeStep(rows, at, key);
    expect(step(undefined, 'ArrowDown')).toEqual({ to: 'src' });
    expect(step('readme.md', 'ArrowDown')).toEqual({ to: 'readme.md' });
    expect(step('docs', 'ArrowRight')).toEqual({ toggle: 'docs' });
    expect(step('src', 'ArrowRight')).toEqual({ to: 'src/lib' });
    expect(step('src/lib', 'ArrowRight')).toEqual({});
    expect(step('src/index.ts', 'ArrowLeft')).toEqual({ to: 'src' });
    expect(step('src', 'ArrowLeft')).toEqual({ toggle: 'src' });
    expect(step('docs', 'ArrowLeft')).toEqual({});
    expect(step('src/index.ts', 'Enter')).toEqual({ pick: 'src/index.ts' });
    expect(step('docs', ' ')).toEqual({ toggle: 'docs' });
    expect(step('docs', 'End')).toEqual({ to: 'readme.md' });
    expect(step('readme.md', 'Home')).toEqual({ to: 'docs' });
    expect(step('docs', 'R')).toEqual({ to: 'readme.md' });
    expect(step('docs', 'x')).toBeUndefined();
    expect(step('docs', 'F5')).toBeUndefined();
    expect(treeStep([], undefined, 'ArrowDown')).toBeUndefined();
  });

  it('are open around the file that is shown', () => {
    expect(foldersAround('a/b/c.ts')).toEqual(['a', 'a/b']);
    expect(foldersAround('c.ts')).toEqual([]);
  });
});

describe('line ends', () => {
  it('are kept, and a file that mixes them is not edited', () => {
    expect(lineEndsOf('a\nb\n')).toBe('lf');
    expect(lineEndsOf('a\r\nb\r\n')).toBe('crlf');
    expect(lineEndsOf('a\r\nb\n')).toBe('mixed');
    expect(lineEndsOf('a\rb')).toBe('mixed');
    expect(lineEndsOf('')).toBe('lf');
    expect(withLineEnds('a\nb\n', 'crlf')).toBe('a\r\nb\r\n');
    expect(withLineEnds('a\nb\n', 'lf')).toBe('a\nb\n');
  });
});
