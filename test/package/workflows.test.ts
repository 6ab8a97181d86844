import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const FOLDER = '.github/workflows';
const read = (name: string) => readFileSync(`${FOLDER}/${name}`, 'utf8');

describe.each(readdirSync(FOLDER))('the workflow %s', (name) => {
  test('pins every action to a commit, with its version', () => {
    const used = read(name).match(/uses: .*/g) ?? [];
    expect(used.filter((line) => !/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test('needs no long-lived token', () => {
    expect(read(name)).not.toContain('secrets.');
  });
});

test('an action has the same commit in all workflows', () => {
  const used = readdirSync(FOLDER).flatMap((name) => read(name).match(/uses: .*/g) ?? []);
  const commits = new Map(used.map((line) => [/uses: ([\w-]+\/[\w-]+)/.exec(line)?.[1], line.split('@')[1]]));
  for (const line of used)
    expect(commits.get(/uses: ([\w-]+\/[\w-]+)/.exec(line)?.[1])).toBe(line.split('@')[1]);
});

test('the jobs that run code of others cannot write', () => {
  const jobs = (name: string) => read(name).split(/^ {2}(?=\w+:$)/m);
  const job = (name: string, id: string) => jobs(name).find((text) => text.startsWith(`${id}:`)) ?? '';
  for (const text of [job('new-clis.yml', 'probe'), job('release.yml', 'pack'), job('docs.yml', 'build')]) {
    expect(text).toContain('npm ci');
    expect(text).toContain('persist-credentials: false');
    expect(text).not.toContain(': write');
  }
  for (const text of [
    job('new-clis.yml', 'propose'),
    job('release.yml', 'publish'),
    job('release.yml', 'attach'),
    job('docs.yml', 'deploy'),
  ]) {
    expect(text).toContain(': write');
    expect(text).not.toMatch(/npm (?:ci|run|test)|node /);
  }
});

test('a workflow may only read; a job that may more says so itself', () => {
  for (const name of readdirSync(FOLDER)) {
    const [before = ''] = read(name).split(/^jobs:$/m);
    expect(before, name).toMatch(/^permissions:\n {2}contents: read\n(?! )/m);
  }
});

test('changes are analyzed by CodeQL, and their new dependencies reviewed', () => {
  const codeql = read('codeql.yml');
  expect(codeql).toMatch(/^ {2}pull_request:$/m);
  expect(codeql).toContain('language: [javascript-typescript, actions]');
  expect(codeql).toMatch(/codeql-action\/init@[\s\S]*codeql-action\/analyze@/);
  const review = read('dependency-review.yml');
  expect(review).toMatch(/^ {2}pull_request:$/m);
  expect(review).toMatch(/dependency-review-action@.*\n.*fail-on-severity/);
});

test('npm installs only versions that are a week old, except the CLIs that are probed', () => {
  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^min-release-age=7$/m);
  expect(readFileSync('scripts/lib/ledger/cli-cache.mjs', 'utf8')).toContain("'--min-release-age=0'");
});
