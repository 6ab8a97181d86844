import { describe, expect, test } from 'vitest';
import { findCli } from '../../../../../src/host/cli/program/find-cli.js';
import { elf, type FakeFile, fakeSystem } from '../options/fake-system.js';

const script: FakeFile = { text: '#!/usr/bin/env node\n' };
const binary: FakeFile = { text: elf() };
const glibc = '/lib64/ld-linux-x86-64.so.2';

describe('where a CLI is searched for', () => {
  const everywhere: [path: string, how: string, file: FakeFile][] = [
    ['/work/app/node_modules/@anthropic-ai/claude-code/cli.js', 'package', script],
    ['/work/app/node_modules/@anthropic-ai/claude-agent-sdk-linux-x64/claude', 'package', binary],
    ['/work/node_modules/@anthropic-ai/claude-code-linux-x64/claude', 'package', binary],
    ['/work/node_modules/@anthropic-ai/claude-agent-sdk/cli.js', 'package', script],
    ['/bin/claude', 'path', binary],
    ['/home/me/.local/bin/claude', 'usual-place', binary],
    ['/home/me/.claude/local/claude', 'usual-place', script],
    ['/usr/local/bin/claude', 'usual-place', binary],
    ['/opt/homebrew/bin/claude', 'usual-place', binary],
    ['/opt/node/lib/node_modules/@anthropic-ai/claude-code/cli.js', 'usual-place', script],
  ];

  test.each(everywhere.map(([path], index) => [path, index] as const))(
    'uses %s if nothing before it exists',
    (path, index) => {
      const files = Object.fromEntries(everywhere.slice(index).map(([each, , file]) => [each, file]));
      const { found } = findCli({ cwd: '/work/app' }, fakeSystem({ files }));
      expect(found).toEqual({ path, how: everywhere[index]?.[1] });
    },
  );

  test('CLAUDE_CODE_PATH comes before all of them, and the option before that', () => {
    const files = Object.fromEntries(everywhere.map(([path, , file]) => [path, file]));
    const system = fakeSystem({
      files: { ...files, '/a/one': binary, '/a/two': binary },
      env: { PATH: '/bin', CLAUDE_CODE_PATH: '/a/one' },
    });
    expect(findCli({}, system).found).toEqual({ path: '/a/one', how: 'environment' });
    expect(findCli({ cli: '/a/two' }, system).found).toEqual({ path: '/a/two', how: 'option' });
    expect(findCli({ cli: '../a/two' }, system).found).toEqual({ path: '/a/two', how: 'option' });
  });

  test('a bare name is looked up in the PATH that the child will have', () => {
    const system = fakeSystem({ files: { '/x/my-claude': binary } });
    expect(findCli({ cli: 'my-claude', searchPath: '/y:/x' }, system).found?.path).toBe('/x/my-claude');
    expect(findCli({ cli: 'my-claude' }, system).error?.code).toBe('CLI_NOT_FOUND');
  });

  test('a folder that is twice in PATH is searched once', () => {
    const { looked, error } = findCli(
      { cli: 'my-claude', searchPath: '/y:/x:/y' },
      fakeSystem({ files: {} }),
    );
    expect(looked.map(({ path }) => path)).toEqual(['/y/my-claude', '/x/my-claude']);
    expect(error?.message).toContain('nothing is at /y/my-claude, /x/my-claude.');
  });

  test('finds the platform package of a content-addressed store next to the real package', () => {
    const store = '/work/node_modules/.pnpm/claude-code@2/node_modules/@anthropic-ai';
    const system = fakeSystem({
      files: {
        '/work/node_modules/@anthropic-ai/claude-code': { link: `${store}/claude-code` },
        [`${store}/claude-code-linux-x64/claude`]: binary,
      },
    });
    expect(findCli({}, system).found?.path).toBe(`${store}/claude-code-linux-x64/claude`);
  });

  test('skips a binary for another C library in favour of one that runs here', () => {
    const scope = '/work/node_modules/@anthropic-ai';
    const musl = '/lib/ld-musl-x86_64.so.1';
    const files = {
      [`${scope}/claude-code-linux-x64/claude`]: { text: elf(62, glibc) },
      [`${scope}/claude-code-linux-x64-musl/claude`]: { text: elf(62, musl) },
    };
    const onMusl = fakeSystem({ files: { ...files, [musl]: { text: 'x' } } });
    const { found, looked } = findCli({}, onMusl);
    expect(found?.path).toContain('-musl/');
    expect(looked.find(({ why }) => why.includes('glibc'))?.taken).toBe(false);
  });
});

describe('the report', () => {
  test('lists every place in order, with the reason', () => {
    const system = fakeSystem({
      files: {
        '/work/node_modules/@anthropic-ai/claude-code/cli.js': { text: '' },
        '/bin/claude': { ...binary, executable: false },
        '/home/me/.local/bin/claude': binary,
      },
    });
    const { found, looked } = findCli({}, system);
    expect(found?.how).toBe('usual-place');
    const reasons = Object.fromEntries(looked.map(({ path, why }) => [path, why]));
    expect(reasons['/work/node_modules/@anthropic-ai/claude-code/cli.js']).toBe('is empty');
    expect(reasons['/bin/claude']).toContain('chmod +x');
    expect(looked.at(-1)).toEqual({
      path: '/home/me/.local/bin/claude',
      how: 'usual-place',
      taken: true,
      why: 'used',
    });
    expect(looked.filter(({ taken }) => taken)).toHaveLength(1);
  });

  test('a named CLI that does not exist is not replaced by another', () => {
    const system = fakeSystem({ files: { '/bin/claude': binary } });
    const { found, error } = findCli({ cli: '/nowhere/claude' }, system);
    expect(found).toBeUndefined();
    expect(error?.code).toBe('CLI_NOT_FOUND');
    expect(error?.message).toContain('/nowhere/claude');
    const byVariable = fakeSystem({
      files: { '/bin/claude': binary },
      env: { PATH: '/bin', CLAUDE_CODE_PATH: '/nowhere/claude' },
    });
    expect(findCli({}, byVariable).error?.message).toContain('CLAUDE_CODE_PATH');
  });

  test.each<[string, FakeFile, string, RegExp]>([
    ['not executable', { ...binary, executable: false }, 'CLI_NOT_EXECUTABLE', /chmod/],
    ['empty', { text: '' }, 'CLI_NOT_EXECUTABLE', /empty/],
    ['plain text', { text: 'hello' }, 'CLI_NOT_EXECUTABLE', /neither a program nor a script/],
    ['for another machine', { text: elf(183) }, 'CLI_WRONG_PLATFORM', /arm64.*x64/],
    ['for another C library', { text: elf(62, '/lib/ld-musl-x86_64.so.1') }, 'CLI_WRONG_PLATFORM', /musl/],
    ['for another system', { text: 'MZ' }, 'CLI_WRONG_PLATFORM', /Windows program/],
  ])('a file that is %s has its own code', (_what, file, code, message) => {
    const { error } = findCli({ cli: '/a/claude' }, fakeSystem({ files: { '/a/claude': file } }));
    expect(error?.code).toBe(code);
    expect(error?.message).toMatch(message);
    expect(error?.message).toContain('/a/claude');
  });

  test('a folder instead of the CLI is named', () => {
    const { error } = findCli({ cli: '/a/claude' }, fakeSystem({ folders: ['/a/claude'] }));
    expect(error?.code).toBe('CLI_NOT_EXECUTABLE');
    expect(error?.message).toContain('/a/claude is not a file');
  });

  test('if nothing is found, it says how many places were tried and what to do', () => {
    const { error, looked } = findCli({}, fakeSystem());
    expect(error?.code).toBe('CLI_NOT_FOUND');
    expect(error?.message).toContain(`${looked.length} places`);
    expect(error?.message).toContain('CLAUDE_CODE_PATH');
  });
});

describe('on Windows', () => {
  const shim = [
    '@ECHO off',
    'IF EXIST "%dp0%\\node.exe" (',
    '  SET "_prog=%dp0%\\node.exe"',
    ')',
    '"%_prog%"  "%dp0%\\node_modules\\@anthropic-ai\\claude-code\\cli.js" %*',
  ].join('\r\n');
  const npm = 'C:\\home\\AppData\\Roaming\\npm';
  const target = `${npm}\\node_modules\\@anthropic-ai\\claude-code\\cli.js`;

  test('a .cmd shim is resolved to the script that it starts', () => {
    const files = { [`${npm}\\claude.cmd`]: { text: shim }, [target]: script };
    const { found, looked } = findCli({}, fakeSystem({ platform: 'win32', files, env: { Path: npm } }));
    expect(found).toEqual({ path: target, how: 'path' });
    expect(looked.at(-1)?.why).toContain('cli.js');
  });

  test('a shim with another spelling that starts an .exe is understood', () => {
    const files = {
      'C:\\bin\\claude.cmd': { text: '@"%~dp0\\..\\lib\\claude.exe" %*' },
      'C:\\lib\\claude.exe': { text: 'MZ' },
    };
    expect(findCli({}, fakeSystem({ platform: 'win32', files })).found?.path).toBe('C:\\lib\\claude.exe');
  });

  test('an unknown batch file is never run through a shell', () => {
    const files = { 'C:\\bin\\claude.cmd': { text: 'python claude.py' } };
    const { error } = findCli({ cli: 'claude' }, fakeSystem({ platform: 'win32', files }));
    expect(error?.code).toBe('CLI_NOT_EXECUTABLE');
    expect(error?.message).toContain('batch file');
  });

  test.each(['claude', 'claude.ps1', 'claude.cmd'])(
    '%s from npm resolves to the script behind it',
    (name) => {
      const files = {
        [`${npm}\\claude`]: { text: '#!/bin/sh\nexec node cli.js' },
        [`${npm}\\claude.ps1`]: { text: '& node cli.js' },
        [`${npm}\\claude.cmd`]: { text: shim },
        [target]: script,
      };
      const system = fakeSystem({ platform: 'win32', files });
      expect(findCli({ cli: `${npm}\\${name}` }, system).found?.path).toBe(target);
    },
  );

  test.each([
    ['#!/bin/sh\n', 'CLI_NOT_EXECUTABLE', 'is not a Windows program'],
    [elf(), 'CLI_WRONG_PLATFORM', 'is a Linux program, which Windows cannot run'],
  ])('a file that is not a Windows program is refused by name', (text, code, why) => {
    const system = fakeSystem({ platform: 'win32', files: { 'C:\\a\\claude': { text } } });
    const { error } = findCli({ cli: 'C:\\a\\claude' }, system);
    expect(error).toMatchObject({ code, message: expect.stringContaining(why) });
  });

  test('the Node folder is searched, where nvm has its programs', () => {
    const files = { 'C:\\node\\claude.cmd': { text: shim.replaceAll('%dp0%', '%~dp0') } };
    const cli = 'C:\\node\\node_modules\\@anthropic-ai\\claude-code\\cli.js';
    const system = fakeSystem({ platform: 'win32', files: { ...files, [cli]: script } });
    expect(findCli({}, system).found).toEqual({ path: cli, how: 'usual-place' });
  });

  test('the binary of the platform package has its own name', () => {
    const path = 'C:\\work\\node_modules\\@anthropic-ai\\claude-code-win32-x64\\claude.exe';
    const system = fakeSystem({ platform: 'win32', files: { [path]: { text: 'MZ' } } });
    expect(findCli({}, system).found?.path).toBe(path);
  });
});

test('on macOS a Linux program is refused and a macOS one accepted', () => {
  const mach = { text: new Uint8Array([0xcf, 0xfa, 0xed, 0xfe, 0, 0]) };
  const system = fakeSystem({ platform: 'darwin', files: { '/a/linux': binary, '/a/mac': mach } });
  expect(findCli({ cli: '/a/linux' }, system).error?.code).toBe('CLI_WRONG_PLATFORM');
  expect(findCli({ cli: '/a/mac' }, system).found?.path).toBe('/a/mac');
});
