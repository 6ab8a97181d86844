// Makes a release: moves the waiting changes to CHANGELOG.md and package.json, then builds, tests and packs, and tries the tarball
// in an empty project. It publishes nothing: commit, tag and push, and the workflow does. `--check` only builds, tests and tries.
// The first release needs `--repository owner/name`, which replaces the made-up address and the commands of the first pages.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withoutUnreleased } from './lib/changelog.mjs';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { addressProblem, PAGES, withNpmCommands, withRepository } from './lib/first-release.mjs';
import { run } from './lib/run.mjs';

const { check: isCheck, repository } = parseArgs({
  options: { check: { type: 'boolean', default: false }, repository: { type: 'string' } },
}).values;
const manifest = () => JSON.parse(readFileSync('package.json', 'utf8'));
const version = () => manifest().version;

if (!isCheck && execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }) !== '')
  stop('the working tree has changes: commit them first');
if (!isCheck && repository !== undefined) nameRepository();
const problem = addressProblem(manifest());
if (problem !== undefined) stop(problem);
if (!(await ensureInstalled('tools'))) stop('the tools could not be installed: see the npm error above');
if (!isCheck) {
  await step('tools/node_modules/@changesets/cli/bin.js', 'version');
  writeFileSync('CHANGELOG.md', withoutUnreleased(readFileSync('CHANGELOG.md', 'utf8')));
}
if (version() === '0.0.0')
  stop('version 0.0.0 is not for publishing: `npm run change` describes a first change');
await step('scripts/check.mjs');
await step('scripts/test.mjs', '--all');
// Packs, and tries the tarball in an empty project.
await step('scripts/check-package.mjs');
if (!isCheck)
  console.log(
    `\n${version()} is ready. Look at the diff, then:\n  git commit -am "Release ${version()}" && git tag v${version()} && git push --follow-tags`,
  );

function nameRepository() {
  try {
    const named = withRepository(manifest(), repository);
    for (const page of PAGES) writeFileSync(page, withNpmCommands(readFileSync(page, 'utf8')));
    writeFileSync('package.json', `${JSON.stringify(named, undefined, 2)}\n`);
  } catch (error) {
    stop(error.message);
  }
}

async function step(...command) {
  const code = await run(process.execPath, command);
  if (code !== 0) stop(`${command.join(' ')} failed`);
}

function stop(reason) {
  console.error(`no release: ${reason}`);
  process.exit(1);
}
