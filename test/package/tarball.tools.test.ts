import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FreshProject, makeFreshProject } from '../support/fresh-project.js';

// What a user gets: the tarball, unpacked into a separate project.
const { exports, bin, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const needs: Readonly<Record<string, { readonly npm: readonly string[] }>> = JSON.parse(
  readFileSync('api/entry-points.json', 'utf8'),
);
const peerOf = (entry: string) => needs[entry]?.npm.find((name) => name in peerDependencies);
const entryPoints = Object.keys(exports).filter((entry) => !entry.endsWith('.json'));
let fresh: FreshProject;
beforeAll(() => {
  fresh = makeFreshProject();
}, 120_000);
afterAll(() => fresh.remove());

function run(...args: string[]) {
  const { PATH, HOME } = process.env;
  return spawnSync(process.execPath, args, { cwd: fresh.folder, encoding: 'utf8', env: { PATH, HOME } });
}

test('contains every entry point', () => {
  const alone = entryPoints.filter((entry) => peerOf(entry) === undefined);
  const program = `for (const entry of ${JSON.stringify(alone)}) await import('coxswain' + entry.slice(1));`;
  expect(run('--input-type=module', '--eval', program)).toMatchObject({ stderr: '', status: 0 });
}, 60_000);

test('a fleet names everything that is missing at once', () => {
  const command = join(fresh.installed, bin.coxswain);
  const { stderr, status } = run(command, 'fleet', 'dev', '--demo', '--nats-server', './no-such-server');
  expect(status).toBe(1);
  expect(stderr).toContain('Install nats-server');
  expect(stderr).toContain('npm install @nats-io/transport-node');
}, 60_000);

test.each(entryPoints.filter((entry) => peerOf(entry) !== undefined))(
  '%s names the package that it needs, and works with it',
  (entry) => {
    const program = `await import('coxswain${entry.slice(1)}')`;
    const peer = String(peerOf(entry));
    expect(run('--input-type=module', '--eval', program).stderr).toContain(`Cannot find package '${peer}'`);
    fresh.link(peer);
    expect(run('--input-type=module', '--eval', program)).toMatchObject({ stderr: '', status: 0 });
  },
  60_000,
);

test('a first session runs on the included emulated CLI', () => {
  const program = `
    import { ask } from 'coxswain';
    import { emulatorProgram } from 'coxswain/testing';
    console.log(await ask('hello', { cli: emulatorProgram() }));`;
  const { stdout, stderr } = run('--input-type=module', '--eval', program);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/complete turn/);
}, 60_000);

test('the command prints its version and runs the demo', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const command = join(fresh.installed, bin.coxswain);
  expect(run(command, '--version').stdout.trim()).toBe(version);
  const demo = run(command, 'demo');
  expect(demo).toMatchObject({ status: 0, stderr: expect.stringContaining('That was the demo') });
  const [, examples = ''] = /more are in (.*examples)/.exec(demo.stderr) ?? [];
  expect(existsSync(resolve(fresh.folder, examples))).toBe(true);
  expect(examples).toBe(join('node_modules', 'coxswain', 'examples'));
  const [, first = ''] = /^ {2}node (node_modules\S+)$/m.exec(demo.stderr) ?? [];
  expect(run(first)).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('success') });
}, 60_000);

test('contains the files that the code reads, and no build files', () => {
  const files = readdirSync(join(fresh.installed, 'dist'), { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(
    expect.arrayContaining([
      'pages/recording.html',
      'pages/console/index.html',
      'schema/2.1.325.json',
      'ledger.json',
    ]),
  );
  expect(files.filter((name) => /\.(?:map|tsbuildinfo)$/.test(name))).toEqual([]);
});

test('links of its pages lead to files in it, or to the web', () => {
  const pages = readdirSync(fresh.installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(fresh.installed, page), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    return local
      .filter((link) => !existsSync(join(fresh.installed, dirname(page), link)))
      .map((link) => `${page}: ${link}`);
  });
  expect(pages).toContain('README.md');
  expect(dead).toEqual([]);
});

test('types include their doc comments', () => {
  const types = readFileSync(join(fresh.installed, 'dist/transport.d.ts'), 'utf8');
  expect(types).toMatch(/\/\*\*/);
});
