// The checks of what users install: package shape, types, public surface and what each entry point loads.
// `--write` brings the reports in api/ up to date instead of comparing them.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEntryPoints } from './lib/bundle/entry-points.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { apiProblems } from './lib/package/api-reports.mjs';
import { entryPointProblems, loadProblems } from './lib/package/entry-point-checks.mjs';
import { pack, tarballProblems } from './lib/package/tarball.mjs';
import { run, runAll } from './lib/run.mjs';

const write = process.argv.includes('--write');
const tool = (name, path, ...args) => [[name, process.execPath, [`tools/node_modules/${path}`, ...args]]];

if (!(await ensureInstalled('tools'))) {
  console.error('the checkers could not be installed: see the npm error above');
  process.exit(1);
}
const built = await run(process.execPath, ['scripts/build.mjs']);
if (built !== 0) process.exit(built);

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const entryPoints = readEntryPoints();
// An entry point without its file is reported once, by the first check.
const present = Object.fromEntries(
  Object.entries(entryPoints).filter(([, { source }]) => existsSync(source)),
);
const folder = mkdtempSync(join(tmpdir(), 'coxswain-package-'));
try {
  const tarball = pack(folder);
  const inOrder = [
    report(
      'entry points are the same in package.json, api and src',
      entryPointProblems(manifest, entryPoints),
    ),
    report('each entry point loads what it declares', await loadProblems(manifest.name, present)),
    report('tarball is small and tells nothing of this machine', tarballProblems(tarball)),
    report('public surface is as reviewed', apiProblems(present, { write })),
    await runAll([
      tool('publint', 'publint/src/cli.js', 'run', tarball.file, '--strict'),
      tool(
        'are the types wrong',
        '@arethetypeswrong/cli/dist/index.js',
        tarball.file,
        '--profile',
        'esm-only',
      ),
      [
        [
          'tests of the checks',
          process.execPath,
          ['node_modules/vitest/vitest.mjs', 'run', '--project', 'tools'],
        ],
      ],
    ]),
  ].every(Boolean);
  process.exitCode = inOrder ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function report(name, problems) {
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const problem of problems) console.log(problem.replace(/^/gm, '     '));
  return problems.length === 0;
}
