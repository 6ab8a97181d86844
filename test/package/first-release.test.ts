import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import * as firstRelease from '../../scripts/lib/first-release.mjs';

const { addressProblem, PAGES, withNpmCommands, withRepository } = firstRelease as {
  readonly addressProblem: (manifest: object) => string | undefined;
  readonly PAGES: readonly string[];
  readonly withNpmCommands: (page: string) => string;
  readonly withRepository: (manifest: object, name: string) => object;
};
const MADE_UP = 'coxswain-sdk/coxswain';
const read = (path: string) => readFileSync(path, 'utf8');
const madeUp = {
  name: 'coxswain',
  homepage: 'https://coxswain-sdk.github.io/coxswain/',
  repository: { type: 'git', url: `git+https://github.com/${MADE_UP}.git` },
  bugs: `https://github.com/${MADE_UP}/issues`,
};
const isReleased = addressProblem(JSON.parse(read('package.json'))) === undefined;

test('only package.json has the address of the repository', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
  const own = ['package.json', 'scripts/lib/first-release.mjs', 'test/package/first-release.test.ts'];
  const pages = files.filter(
    (name) => /\.(?:md|ts|tsx|mjs|cjs|json|ya?ml)$/.test(name) && !own.includes(name),
  );
  const address = /github\.com\/([\w.-]+\/[\w.-]+?)\.git/.exec(read('package.json'))?.[1] ?? MADE_UP;
  expect(pages.filter((name) => read(name).includes(address))).toEqual([]);
});

test('a made-up address is refused, and replaced by the one that is given', () => {
  expect(addressProblem(madeUp)).toMatch(/made-up address .* --repository owner\/name/);
  const named = withRepository(madeUp, 'Someone/coxswain');
  expect(named).toEqual({
    name: 'coxswain',
    homepage: 'https://someone.github.io/coxswain/',
    repository: { type: 'git', url: 'git+https://github.com/Someone/coxswain.git' },
    bugs: 'https://github.com/Someone/coxswain/issues',
  });
  expect(addressProblem(named)).toBeUndefined();
});

test.each(['coxswain', 'https://github.com/a/b', 'a/b/c', 'coxswain-sdk/coxswain'])(
  '%s is refused as the name of a repository',
  (name) => {
    expect(() => withRepository(madeUp, name)).toThrow('--repository takes owner/name');
  },
);

test('no other page gets Coxswain from npm: they link to the installation', () => {
  const files = execFileSync('git', ['ls-files', '-z', '*.md'], { encoding: 'utf8' }).split('\0');
  const others = files.filter((name) => name !== '' && !PAGES.includes(name));
  const gets = /npm (?:i|install|add)(?: [^\s#]+)* coxswain(?:@\S+)?(?=\s|$)/;
  expect(others.filter((name) => gets.test(read(name)))).toEqual([]);
});

test.each(PAGES)('%s gets Coxswain from npm only after the first release', (path) => {
  const page = read(path);
  const fromNpm = /npm install coxswain$/m;
  if (!isReleased) {
    expect(page).toContain('not on npm yet');
    expect(page).not.toMatch(fromNpm);
    expect(page).toContain(`coxswain-${JSON.parse(read('package.json')).version}.tgz`);
  }
  const released = withNpmCommands(page);
  expect(released).not.toContain('not on npm yet');
  expect(released).toMatch(fromNpm);
  expect(released).toContain('npx coxswain demo');
  expect(withNpmCommands(released)).toBe(released);
});
