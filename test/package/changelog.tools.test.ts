import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';

const { withoutUnreleased }: { withoutUnreleased(text: string): string } = await import(
  pathToFileURL(resolve('scripts/lib/changelog.mjs')).href
);
const CHANGESETS = resolve('tools/node_modules/@changesets/cli/bin.js');

describe('the changelog of a release', () => {
  test('has what was written by hand under the version, then the changes', () => {
    const text =
      '# Changelog\n\n## 0.1.0\n\n### Minor\n\n- B\n\n## Unreleased: first\n\n### Tests\n\n- A\n\n## 0.0.1\n\n- O\n';
    expect(withoutUnreleased(text)).toBe(
      '# Changelog\n\n## 0.1.0\n\n### Tests\n\n- A\n\n### Minor\n\n- B\n\n## 0.0.1\n\n- O\n',
    );
  });

  test('is left alone without an unreleased section', () => {
    const text = '# Changelog\n\n## 0.2.0\n\n### Minor\n\n- B\n\n## 0.1.0\n\n- A\n';
    expect(withoutUnreleased(text)).toBe(text);
  });

  test('starts with the version, and has no hashes of commits', () => {
    const folder = copyOfTheProject();
    writeFileSync(join(folder, '.changeset/more.md'), '---\n"coxswain": minor\n---\n\n`ask` can do more.\n');
    git(folder, 'add', '.');
    git(folder, 'commit', '--quiet', '-m', 'Describe a change');
    execFileSync(process.execPath, [CHANGESETS, 'version'], { cwd: folder });
    const changelog = withoutUnreleased(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(version).not.toBe('0.0.0');
    expect(changelog).toMatch(`# Changelog\n\n## ${version}\n`);
    expect(changelog).toContain('\n- `ask` can do more.\n');
    expect(changelog).not.toMatch(/## Unreleased|^- [0-9a-f]{7}: /m);
    expect(readdirSync(join(folder, '.changeset')).filter((name) => name.endsWith('.md'))).toEqual([
      'README.md',
    ]);
  }, 60_000);
});

/** A repository with the files that `changeset version` reads. */
function copyOfTheProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'changelog-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['.changeset', 'CHANGELOG.md', 'package.json', 'package-lock.json'])
    cpSync(name, join(folder, name), { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch', 'main');
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', 'Begin');
  return folder;
}

function git(cwd: string, ...args: string[]) {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd });
}
