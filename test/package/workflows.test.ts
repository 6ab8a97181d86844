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
  for (const text of [job('new-clis.yml', 'probe'), job('release.yml', 'pack')]) {
    expect(text).toContain('npm ci');
    expect(text).toContain('persist-credentials: false');
    expect(text).not.toContain(': write');
  }
  for (const text of [
    job('new-clis.yml', 'propose'),
    job('release.yml', 'publish'),
    job('release.yml', 'attach'),
  ]) {
    expect(text).toContain(': write');
    expect(text).not.toMatch(/npm (?:ci|run|test)|node /);
  }
  for (const name of ['new-clis.yml', 'release.yml'])
    expect(read(name)).toMatch(/^permissions:\n {2}contents: read\njobs:$/m);
});
