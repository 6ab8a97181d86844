// Remembers on which sources `npm run test:versions` last passed, so `.ci/run` skips it while these are the same: all that the
// tests and the programs in them load. The console and fleets are no part of that.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = 'test/versions-passed.json';

const INPUTS = [
  'docs/how-to/bundle.md',
  'docs/how-to/jest.md',
  'docs/how-to/next-js.md',
  'package-lock.json',
  'package.json',
  'scripts/build.mjs',
  'scripts/lib/bundle/**',
  'scripts/lib/ledger/**',
  'src/bridges/**',
  'src/command/**',
  'src/entry/**',
  'src/host/**',
  'src/lab/**',
  'src/server/conversation/**',
  'src/server/manager/**',
  'src/wire/**',
  'test/**/*.versions.test.ts',
  'test/acp-checks/**',
  'test/acp/**',
  'test/bundlers/**',
  'test/compat/harness/**',
  'test/peers/**',
  'test/projects/**',
  'test/real-clis/package-lock.json',
  'test/real/support/**',
  'test/support/**',
];

/** Whether the command passed on these sources. */
export function didVersionsPass() {
  return existsSync(FILE) && JSON.parse(readFileSync(FILE, 'utf8')).inputs === hashOfInputs();
}

/** Called after it passed. */
export function writeVersionsStamp() {
  writeFileSync(FILE, `{ "inputs": "${hashOfInputs()}" }\n`);
  console.log(`wrote ${FILE}: commit it, and .ci/run does not repeat this run`);
}

function hashOfInputs() {
  const globs = INPUTS.map((each) => `:(glob)${each}`);
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...globs];
  const names = execFileSync('git', args, { encoding: 'utf8' }).split('\0');
  const hash = createHash('sha256');
  for (const file of names.filter((name) => name !== '' && existsSync(name)).toSorted())
    hash.update(`${file}\n`).update(readFileSync(file));
  return hash.digest('hex');
}
