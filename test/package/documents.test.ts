import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const pages = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    // The pages of the API are made by `npm run docs`, and checked there.
    .filter((name) => name.endsWith('.md') && !name.startsWith('api'))
    .map((name) => join('docs', name)),
];
const read = (path: string) => readFileSync(path, 'utf8');

describe('README.md', () => {
  const firstScreen = read('README.md').split('\n').slice(0, 25).join('\n');

  test.each(['npm ci && npm run demo', 'npm ci && npm test'])('shows `%s` on its first screen', (command) => {
    expect(firstScreen).toContain(command);
  });

  test('leads with six entry points', () => {
    const [, section = ''] = read('README.md').split('## Entry points');
    const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(coxswain[^`]*)` \|/gm)].map(
      ([, name]) => name,
    );
    const six = [
      'coxswain',
      ...['manager', 'testing', 'mcp', 'compat', 'console'].map((name) => `coxswain/${name}`),
    ];
    expect(listed).toEqual(six);
  });

  test('links only to pages in the package, and to those of the repository that npm shows', () => {
    const { files }: { files: string[] } = JSON.parse(read('package.json'));
    const links = [...read('README.md').matchAll(/(?<!!)\[[^\]]*\]\(([^)#:\s]+)[^)]*\)/g)].map(
      ([, link = '']) => link,
    );
    const elsewhere = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/reference/benchmarks.md'];
    const shipped = ['LICENSE', ...elsewhere, ...files.map((entry) => entry.replace(/\*\.md$/, ''))];
    expect(links.filter((link) => !shipped.some((entry) => link.startsWith(entry)))).toEqual([]);
  });

  test('claims no more faults and control methods than the reference lists', () => {
    const faults = /more than (\d+) faults/.exec(read('README.md'))?.[1];
    expect(faultsListed()).toBeGreaterThan(Number(faults));
    expect(read('docs/index.md')).toContain(`more than ${faults} faults`);
    const methods = [...read('docs/reference/controls.md').matchAll(/^\| `(session\.[\w.]+)\(/gm)];
    expect(read('README.md')).toContain(`[${new Set(methods.map(([, name]) => name)).size} control methods]`);
  });

  test('has CI run every test', () => {
    expect(read('.ci/run').split('\n')).toEqual(expect.arrayContaining(['npm ci', 'npm run test:all']));
  });
});

/** How many different faults the reference lists, whatever their phase. */
function faultsListed(): number {
  const [, tables = ''] = read('docs/reference/faults.md').split('## The process');
  const rows = [...tables.matchAll(/^\| (.+?) \|/gm)].map(([, name = '']) => name);
  return new Set(rows.filter((name) => name !== 'fault')).size;
}

test.each(pages)('%s links only to files that exist', (page) => {
  const links = [...read(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
  const local = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(local.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
});

test('every page for users is linked by another one', () => {
  const linked = new Set(
    pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)#:\s]+)/g)]
        .map(([, link = '']) => join(dirname(page), link))
        .filter((link) => link !== page),
    ),
  );
  const forUsers = pages.filter((page) => /^docs.(?:start|how-to|concepts|reference)\b/.test(page));
  expect(forUsers.filter((page) => !linked.has(page))).toEqual([]);
});

test.each(pages)('%s names only npm scripts that exist', (page) => {
  const named = [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script);
  const manifest: unknown = JSON.parse(read('package.json'));
  expect(manifest).toMatchObject({
    scripts: Object.fromEntries(named.map((name) => [name, expect.any(String)])),
  });
});
