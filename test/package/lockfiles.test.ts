import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'coxswain-lockfile-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a lockfile written from a registry that lacks platforms', () => {
  test('is refused, and completed with what the names of the packages tell', () => {
    lock({
      '@x/tool-linux-x64-musl': '1.0.0',
      '@x/tool-win32-arm64-msvc': '1.0.0',
      '@x/tool-linux-x64-gnu': '1.0.0',
    });
    expect(complete('--check')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('@x/tool-linux-x64-musl, @x/tool-win32-arm64-msvc'),
    });
    expect(complete().status).toBe(0);
    expect(complete('--check').status).toBe(0);
    expect(packages()).toMatchObject({
      'node_modules/@x/tool-linux-x64-musl': {
        version: '1.0.0',
        dev: true,
        optional: true,
        os: ['linux'],
        cpu: ['x64'],
        libc: ['musl'],
      },
      'node_modules/@x/tool-win32-arm64-msvc': { os: ['win32'], cpu: ['arm64'] },
    });
  });

  test('stays as it is when a name tells no platform', () => {
    lock({ surprise: '1.0.0' });
    expect(complete()).toMatchObject({ status: 1, stderr: expect.stringContaining('surprise@1.0.0') });
    expect(Object.keys(packages())).not.toContain('node_modules/surprise');
  });
});

function lock(optionalDependencies: Readonly<Record<string, string>>): void {
  const present = { 'node_modules/@x/tool-linux-x64-gnu': { version: '1.0.0', optional: true } };
  const tool = { 'node_modules/tool': { version: '1.0.0', dev: true, optionalDependencies } };
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, ...present, ...tool } }),
  );
}

function packages(): object {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
}

function complete(...args: string[]) {
  const script = resolve('scripts/complete-lockfiles.mjs');
  return spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' });
}
