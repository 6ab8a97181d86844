import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cacheFolder, planPatches, preparePatchedCli } from '../../../../src/host/patches/prepare.js';
import { servedByPatches } from '../../../../src/host/session/opening/patched-cli.js';
import { realSystem } from '../../../../src/wire/transport/process/system.js';
import { tinyCli } from './tiny-cli.js';

let base = '';
let cli = '';
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'coxswain-test-')));
  const folder = join(base, 'node_modules', 'tiny');
  await mkdir(join(folder, 'vendor'), { recursive: true });
  cli = join(folder, 'cli.js');
  await writeFile(cli, tinyCli);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'tiny', version: '2.0.73' }));
});
afterEach(() => rm(base, { recursive: true }));

describe('preparePatchedCli', () => {
  const options = () => ({ cacheFolder: join(base, 'cache') });

  test('writes a copy with its neighbours and a manifest, and leaves the CLI unchanged', async () => {
    const plan = await preparePatchedCli(cli, options());
    expect(plan).toMatchObject({ from: cli, version: '2.0.73', written: true });
    expect(await readFile(plan.path, 'utf8')).toContain('coxswain');
    expect(await readFile(cli, 'utf8')).toBe(tinyCli);
    const copy = dirname(plan.path);
    expect((await readdir(copy)).toSorted()).toEqual([
      'cli.js',
      'coxswain-patches.json',
      'node_modules',
      'package.json',
      'vendor',
    ]);
    expect(await readlink(join(copy, 'node_modules'))).toBe(join(base, 'node_modules'));
    expect(servedByPatches(plan.path, realSystem())).toContain('mcp_tools');
    expect(servedByPatches(cli, realSystem()).size).toBe(0);
  });

  test('creates the same copy only once, another one for another CLI, and no incomplete ones', async () => {
    expect((await planPatches(cli, options())).written).toBe(false);
    const [first, second] = await Promise.all([
      preparePatchedCli(cli, options()),
      preparePatchedCli(cli, options()),
    ]);
    expect(second.path).toBe(first.path);
    const made = (await stat(first.path)).mtimeMs;
    await preparePatchedCli(cli, options());
    expect((await stat(first.path)).mtimeMs).toBe(made);
    await writeFile(cli, `${tinyCli}\n// another build`);
    const other = await preparePatchedCli(cli, options());
    expect(other.path).not.toBe(first.path);
    expect(await readdir(join(base, 'cache'))).toHaveLength(2);
  });

  test('follows a link to the CLI, such as in PATH, and ignores what is next to the link', async () => {
    const bin = join(base, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'other'), '');
    await symlink(cli, join(bin, 'claude'));
    const plan = await preparePatchedCli(join(bin, 'claude'), options());
    expect(plan).toEqual(await preparePatchedCli(cli, options()));
    expect(plan.version).toBe('2.0.73');
    expect(await readdir(dirname(plan.path))).not.toContain('other');
  });

  test('creates a separate copy for the same CLI elsewhere, whose neighbours may disappear', async () => {
    const project = join(base, 'project');
    await cp(join(base, 'node_modules'), join(project, 'node_modules'), { recursive: true });
    const other = await preparePatchedCli(join(project, 'node_modules', 'tiny', 'cli.js'), options());
    await rm(project, { recursive: true });
    const { path } = await preparePatchedCli(cli, options());
    expect(path).not.toBe(other.path);
    expect((await stat(join(dirname(path), 'vendor'))).isDirectory()).toBe(true);
  });

  test('refuses a copy that is already patched', async () => {
    const { path } = await preparePatchedCli(cli, options());
    await expect(planPatches(path, options())).rejects.toMatchObject({
      code: 'CLI_NOT_PATCHABLE',
      message: expect.stringContaining('already a patched copy'),
    });
  });

  test('refuses a native binary and a missing file', async () => {
    await writeFile(cli, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0]));
    await expect(preparePatchedCli(cli, options())).rejects.toMatchObject({ code: 'CLI_NOT_PATCHABLE' });
    await expect(planPatches(join(base, 'none.js'))).rejects.toMatchObject({ code: 'CLI_NOT_PATCHABLE' });
  });
});

test.each([
  ['linux', { HOME: '/h' }, '/h/.cache/coxswain/patched'],
  ['linux', { HOME: '/h', XDG_CACHE_HOME: '/x' }, '/x/coxswain/patched'],
  ['darwin', { HOME: '/h' }, '/h/Library/Caches/coxswain/patched'],
  ['win32', { LOCALAPPDATA: '/l' }, '/l/coxswain/patched'],
  ['linux', { HOME: '/h', COXSWAIN_CACHE: '/c' }, '/c/patched'],
])('copies are in the user’s cache folder on %s (%o)', (platform, env, folder) => {
  expect(cacheFolder(env, platform)).toBe(folder);
});
