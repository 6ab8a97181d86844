import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A project outside the repository with the tarball unpacked in it, as `npm install` would. */
export interface FreshProject {
  readonly folder: string;
  /** The folder of the package in it. */
  readonly installed: string;
  /** Links another package that this repository has. */
  link(name: string): void;
  remove(): void;
}

/** Creates one. The dependencies are linked, so no network is needed. */
export function makeFreshProject(): FreshProject {
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-project-'));
  const npm = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  const shell = process.platform === 'win32';
  const [{ filename }] = JSON.parse(execFileSync('npm', npm, { encoding: 'utf8', shell }));
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', modules]);
  const installed = join(modules, 'coxswain');
  execFileSync('mv', [join(modules, 'package'), installed]);
  const link = (name: string) => {
    const path = join(modules, name);
    mkdirSync(join(path, '..'), { recursive: true });
    symlinkSync(resolve('node_modules', name), path, 'junction');
  };
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const name of Object.keys(dependencies)) link(name);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  return { folder, installed, link, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
