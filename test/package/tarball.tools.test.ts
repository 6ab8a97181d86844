import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
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
  // Text after a tool call starts a new line.
  expect(run(first).stdout).toMatch(/Let me look around first\.\nNow I know/);
}, 60_000);

test('contains the files that the code reads, and no build files', () => {
  const files = readdirSync(join(fresh.installed, 'dist'), { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(
    expect.arrayContaining([
      'pages/recording.html',
      'pages/console/index.html',
      'schema/2.1.326.json',
      'ledger.json',
    ]),
  );
  expect(files.filter((name) => /\.(?:map|tsbuildinfo)$/.test(name))).toEqual([]);
});

/** npm shows these links of the README from the repository. */
const REPOSITORY_ONLY = /^(?:ARCHITECTURE|CONTRIBUTING|docs\/reference\/benchmarks)\.md$/;

test('has nothing that only contributors read', () => {
  const names = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/decisions', 'docs/reference/benchmarks.md'];
  expect(names.filter((name) => existsSync(join(fresh.installed, name)))).toEqual([]);
});

test('links of its pages lead to files in it, or to the web', () => {
  const pages = readdirSync(fresh.installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(fresh.installed, page), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
    // Screenshots are not in the package: npm shows those of the README from the repository.
    const local = links.filter((link) => !/^[a-z]+:|\/images\/[\w-]+\.png$/.test(link));
    return local
      .filter((link) => !existsSync(join(fresh.installed, dirname(page), link)))
      .filter((link) => !(page === 'README.md' && REPOSITORY_ONLY.test(link)))
      .map((link) => `${page}: ${link}`);
  });
  expect(pages).toContain('README.md');
  expect(dead).toEqual([]);
});

test('the README states the size of the tarball and of an installation', () => {
  const { packages }: { packages: Record<string, { dev?: true; peer?: true }> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  );
  const dependencies = Object.keys(packages).filter(
    (place) => place !== '' && packages[place]?.dev !== true && packages[place]?.peer !== true,
  );
  const tarball = readdirSync(fresh.folder).find((name) => name.endsWith('.tgz')) ?? '';
  const installed = [fresh.installed, ...dependencies].map(sizeOf).reduce((sum, size) => sum + size, 0);
  const [, packed, unpacked, count] =
    /tarball has ([\d.]+) MB; installed, it takes (\d+) MB with its (\d+) dependencies/.exec(
      readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' '),
    ) ?? [];
  expect(Number(count)).toBe(dependencies.length);
  const near = (stated: string | undefined, bytes: number) => Math.abs(Number(stated) * 1e6 - bytes) / bytes;
  expect(near(packed, statSync(join(fresh.folder, tarball)).size)).toBeLessThan(0.1);
  expect(near(unpacked, installed)).toBeLessThan(0.1);
});

/** The bytes of a package, without packages below it. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.slice(folder.length).includes('node_modules'))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test('types include their doc comments', () => {
  const types = readFileSync(join(fresh.installed, 'dist/transport.d.ts'), 'utf8');
  expect(types).toMatch(/\/\*\*/);
});
