import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

const DIST = 'site/dist';

describe('the documentation site', () => {
  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/docs.mjs'], { stdio: 'pipe' });
  }, 1_200_000);

  const pages = () =>
    readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));

  test('has no dead links', () => {
    const { homepage }: { homepage: string } = JSON.parse(readFileSync('package.json', 'utf8'));
    const base = new URL(homepage).pathname;
    const dead = pages().flatMap((page) => {
      const html = readFileSync(join(DIST, page), 'utf8');
      const links = [...html.matchAll(/<a [^>]*href="([^"#?]+)/g)].map(([, link = '']) => decodeURI(link));
      const local = links.filter((link) => !/^[a-z]+:/.test(link));
      return local
        .filter(
          (link) => !isThere(link.startsWith('/') ? link.slice(base.length) : join(dirname(page), link)),
        )
        .map((link) => `${page}: ${link}`);
    });
    expect([...new Set(dead)]).toEqual([]);
  });

  test('has the main pages, and a search index', () => {
    const symbols = [
      'coxswain/functions/openSession',
      'coxswain/interfaces/Turn',
      'coxswain/compat/functions/query',
    ];
    const wanted = [
      'index',
      'start/quick-start',
      'reference/options',
      ...symbols.map((name) => `api/${name}`),
    ];
    expect(wanted.filter((name) => !isThere(name))).toEqual([]);
    const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' });
    expect(files.some((name) => name.includes('localSearchIndex'))).toBe(true);
  });

  test('makes no requests to other servers', () => {
    const html = readFileSync(join(DIST, 'index.html'), 'utf8');
    expect([...html.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]+)/g)]).toEqual([]);
  });
});

function isThere(path: string): boolean {
  const file = join(DIST, path);
  return [file, `${file}.html`, join(file, 'index.html')].some((each) => existsSync(each));
}
