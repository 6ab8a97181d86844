import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listFolder } from '../../../../src/server/console/files/list-folder.js';
import { readFolderFile } from '../../../../src/server/console/files/read-file.js';
import { saveFile } from '../../../../src/server/console/files/save-file.js';

/** A folder with a file, next to one that is out of bounds. */
function begin() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'coxswain-save-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [folder, outside] = [join(root, 'shop'), join(root, 'outside')];
  for (const each of [folder, outside, join(folder, 'src'), join(folder, '.git')]) mkdirSync(each);
  writeFileSync(join(folder, 'src', 'run.sh'), 'echo one\n');
  chmodSync(join(folder, 'src', 'run.sh'), 0o750);
  writeFileSync(join(outside, 'key.pem'), 'key');
  const read = async (path: string) => readFolderFile(folder, path);
  const save = (path: string, text: string, version: string | null) =>
    saveFile(folder, { path, text, version });
  return { root, folder, outside, read, save };
}

test('a file is replaced if it is the version that was read, and keeps its mode', async () => {
  const { folder, read, save } = begin();
  const { version = '' } = await read('src/run.sh');
  const saved = await save('src/run.sh', 'echo two\n', version);
  expect(saved).toEqual({ path: 'src/run.sh', version: (await read('src/run.sh')).version });
  expect(statSync(join(folder, 'src', 'run.sh')).mode & 0o777).toBe(0o750);
  await expect(save('src/run.sh', 'echo three\n', version)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  await save('src/run.sh', '', saved.version);
  expect(readFileSync(join(folder, 'src', 'run.sh'), 'utf8')).toBe('');
  expect(readdirSync(join(folder, 'src'))).toEqual(['run.sh']);
});

test('a new file is created in a folder that exists, and replaces nothing', async () => {
  const { folder, save } = begin();
  await save('src/new.ts', 'new\n', null);
  expect(readFileSync(join(folder, 'src', 'new.ts'), 'utf8')).toBe('new\n');
  await expect(save('src/new.ts', 'other\n', null)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  await expect(save('gone/new.ts', 'new\n', null)).rejects.toMatchObject({ code: 'FOLDER_REFUSED' });
  await expect(save('src/gone.ts', 'new\n', 'old')).rejects.toMatchObject({ code: 'FILE_CHANGED' });
});

test('nothing is written outside, behind a link or in .git', async () => {
  const { folder, outside, save } = begin();
  symlinkSync(outside, join(folder, 'link'));
  symlinkSync(join(outside, 'key.pem'), join(folder, 'key.pem'));
  symlinkSync(join(outside, 'new.txt'), join(folder, 'dangling.txt'));
  symlinkSync('src', join(folder, 'inside'));
  const paths = [
    '../outside/a.txt',
    join(outside, 'a.txt'),
    'link/a.txt',
    'key.pem',
    'dangling.txt',
    'inside/a.txt',
    '.git/config',
    '.GIT/hooks',
    'src/../.git/config',
    'src',
    '.',
    'a\0.txt',
  ];
  for (const path of paths)
    await expect(save(path, 'x', null), path).rejects.toMatchObject({ code: 'FOLDER_REFUSED' });
  expect(readdirSync(outside)).toEqual(['key.pem']);
  expect(readdirSync(join(folder, '.git'))).toEqual([]);
});

test('what cannot be read as text as a whole has no version, so it cannot be saved', async () => {
  const { folder, read, save } = begin();
  writeFileSync(join(folder, 'latin.txt'), Buffer.from('caf\xe9', 'latin1'));
  writeFileSync(join(folder, 'image.png'), Buffer.from([0, 1]));
  writeFileSync(join(folder, 'long.txt'), 'x'.repeat(1024 * 1024 + 1));
  for (const name of ['latin.txt', 'image.png', 'long.txt']) {
    expect((await read(name)).version, name).toBeUndefined();
    await expect(save(name, 'x', null), name).rejects.toMatchObject({ code: 'FILE_CHANGED' });
  }
});

test('a folder is listed without .git, folders first; nothing outside is', async () => {
  const { folder, outside } = begin();
  symlinkSync(outside, join(folder, 'link'));
  writeFileSync(join(folder, 'a.txt'), 'a');
  expect(await listFolder(folder, '')).toEqual({
    path: '',
    entries: [
      { name: 'src', kind: 'folder' },
      { name: 'a.txt', kind: 'file' },
      { name: 'link', kind: 'link' },
    ],
    cut: false,
  });
  expect(await listFolder(folder, 'src/')).toMatchObject({ path: 'src', entries: [{ name: 'run.sh' }] });
  for (const path of ['..', 'link', 'a.txt', '/etc', 'gone', 'a\0b'])
    await expect(listFolder(folder, path), path).rejects.toMatchObject({ code: 'FOLDER_REFUSED' });
});
