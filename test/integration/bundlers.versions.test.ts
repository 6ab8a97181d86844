import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

// The files of the pages about Jest, bundlers and Next.js, written and run as they stand there.
const HOME = resolve('test/bundlers');
const MODULES = join(HOME, 'node_modules');
const EMULATOR = join(MODULES, 'coxswain/dist/emulator/main.js');
const isInstalled = existsSync(join(MODULES, 'next'));

beforeAll(() => {
  if (!isInstalled) return;
  // Real files, as `npm install` makes them: Turbopack follows no links out of the project.
  rmSync(join(MODULES, 'coxswain'), { recursive: true, force: true });
  for (const name of ['dist', 'package.json']) {
    cpSync(name, join(MODULES, 'coxswain', name), { recursive: true });
  }
});
beforeEach(({ skip }) => {
  if (!isInstalled) skip('Jest, bundlers and Next.js are not installed in test/bundlers');
});

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill();
  rmSync(join(HOME, '.run'), { recursive: true, force: true });
});

/** A folder with the files that a page shows, below the packages that they need. */
function projectOf(page: string): string {
  const folder = join(HOME, '.run', page);
  rmSync(folder, { recursive: true, force: true });
  const text = readFileSync(`docs/how-to/${page}.md`, 'utf8');
  for (const [, path = '', code = ''] of text.matchAll(/<!-- file: (\S+) -->\n```\w+\n([\s\S]*?)^```$/gm)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
  return folder;
}

function run(folder: string, args: readonly string[], env: Record<string, string> = {}): string {
  return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: surroundings(env) });
}

function surroundings(more: Readonly<Record<string, string>>): Record<string, string> {
  const { PATH = '', HOME: home = '' } = process.env;
  return { PATH, HOME: home, CLAUDE_CODE_PATH: EMULATOR, NEXT_TELEMETRY_DISABLED: '1', ...more };
}

const node20 = resolve(`test/nodes/node_modules/node-20-${process.platform}-${process.arch}/bin/node`);

test.for([
  ['this Node', process.execPath],
  ['Node 20', node20],
] as const)('Jest runs both kinds of tests on %s', ([name, node], { skip }) => {
  if (!existsSync(node)) skip(`${name} is not installed in test/nodes: run npm run test:nodes once`);
  const folder = projectOf('jest');
  const report = join(folder, 'report.json');
  // Jest's own limit of 5 s is for tests on a machine that does nothing else.
  const args = [join(MODULES, 'jest/bin/jest.js'), '--testTimeout=60000', '--json', `--outputFile=${report}`];
  const env = surroundings({ NODE_OPTIONS: '--experimental-vm-modules' });
  execFileSync(node, args, { cwd: folder, env, stdio: 'pipe' });
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
    numPassedTests: 2,
    numTotalTests: 2,
    success: true,
  });
});

test('a bundle that leaves Coxswain out runs next to node_modules', async () => {
  const folder = projectOf('bundle');
  await esbuild(folder, { format: 'esm', packages: 'external', outfile: 'bundle.mjs' });
  expect(run(folder, ['bundle.mjs'])).toBe('success\nsuccess\n');
});

test.each([
  ['esm', 'mjs'],
  ['cjs', 'cjs'],
])('a bundle with Coxswain in it runs without node_modules (esbuild, %s)', async (format, extension) => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'coxswain-bundle-'));
  await esbuild(projectOf('bundle'), { format, outfile: join(elsewhere, `bundle.${extension}`) });
  expect(run(elsewhere, [`bundle.${extension}`])).toBe('success\nsuccess\n');
  rmSync(elsewhere, { recursive: true });
});

test('what needs files of the package says so in a bundle', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'coxswain-bundle-'));
  const folder = projectOf('bundle');
  const program = "import { emulatorProgram } from 'coxswain/testing'; emulatorProgram();";
  writeFileSync(join(folder, 'program.mjs'), program);
  await esbuild(folder, { format: 'cjs', outfile: join(elsewhere, 'bundle.cjs') });
  expect(() => run(elsewhere, ['bundle.cjs'])).toThrow(/which is inside a bundle here: keep coxswain out/);
  rmSync(elsewhere, { recursive: true });
});

test('webpack leaves Coxswain out as the page says', async () => {
  const folder = projectOf('bundle');
  const config = {
    context: folder,
    entry: './program.mjs',
    mode: 'production',
    target: 'node20',
    experiments: { outputModule: true },
    output: { path: folder, filename: 'bundle.mjs', module: true },
    externals: [/^coxswain(\/|$)/],
    externalsType: 'module',
  };
  const { default: webpack } = await import(join(MODULES, 'webpack/lib/index.js'));
  const stats = await new Promise<{ hasErrors(): boolean; toString(): string }>((done, fail) =>
    webpack(config, (error: Error | null, result: never) => (error ? fail(error) : done(result))),
  );
  expect(stats.hasErrors(), stats.toString()).toBe(false);
  expect(run(folder, ['bundle.mjs'])).toBe('success\nsuccess\n');
});

test('Vite leaves Coxswain out of a program for a server', async () => {
  const folder = projectOf('bundle');
  const { build } = await import('vite');
  await build({ root: folder, configFile: false, logLevel: 'error', build: { ssr: 'program.mjs' } });
  expect(readFileSync(join(folder, 'dist/program.mjs'), 'utf8')).toContain('from "coxswain"');
  expect(run(folder, ['dist/program.mjs'])).toBe('success\nsuccess\n');
});

test('a route of Next.js streams an answer', { timeout: 300_000 }, async () => {
  const folder = projectOf('next-js');
  const next = join(MODULES, 'next/dist/bin/next');
  run(folder, [next, 'build']);
  const args = [next, 'start', '--port', '0', '--hostname', '127.0.0.1'];
  const server = spawn(process.execPath, args, {
    cwd: folder,
    env: surroundings({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(server);
  const response = await fetch(`${await addressOf(server)}/answer`, {
    method: 'POST',
    body: JSON.stringify({ user: 'ann', message: 'hello' }),
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await response.text()).toMatch(/^event: text\n[\s\S]*event: outcome\ndata: "success"\n\n$/);
});

/** Where a server says that it listens. */
async function addressOf(server: ChildProcess): Promise<string> {
  let said = '';
  for await (const piece of server.stdout ?? []) {
    said += piece;
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    if (address !== undefined && said.includes('Ready')) return address;
  }
  throw new Error(`the server ended: ${said}`);
}

async function esbuild(folder: string, options: Readonly<Record<string, string>>): Promise<void> {
  const { build } = await import(join(MODULES, 'esbuild/lib/main.js'));
  const entryPoints = ['program.mjs'];
  await build({ absWorkingDir: folder, entryPoints, bundle: true, platform: 'node', ...options });
}
