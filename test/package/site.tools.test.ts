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
    const dead = pages().flatMap((page) => {
      const html = readFileSync(join(DIST, page), 'utf8');
      const links = [...html.matchAll(/<a [^>]*href="([^"#?]+)/g)].map(([, link = '']) => decodeURI(link));
      const local = links.filter((link) => !/^[a-z]+:/.test(link));
      return local.filter((link) => fileOf(link, page) === undefined).map((link) => `${page}: ${link}`);
    });
    expect([...new Set(dead)]).toEqual([]);
  });

  test('has every heading that a link names', () => {
    const missing = pages().flatMap((page) => {
      const html = readFileSync(join(DIST, page), 'utf8');
      const links = [...html.matchAll(/<a [^>]*href="([^"#?:]*)#([^"]+)"/g)];
      return links
        .map(([, path = '', hash = '']) => ({
          path,
          hash,
          file: path === '' ? join(DIST, page) : fileOf(path, page),
        }))
        .filter(({ hash, file }) => file !== undefined && !idsOf(file).has(decodeURIComponent(hash)))
        .map(({ path, hash }) => `${page}: ${path}#${hash}`);
    });
    expect([...new Set(missing)]).toEqual([]);
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
    const asked = pages().flatMap((page) => {
      const html = readFileSync(join(DIST, page), 'utf8');
      const found = html.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]+)/g);
      return [...found].map(([, url]) => `${page}: ${url}`);
    });
    expect(asked).toEqual([]);
  });
});

const { homepage }: { homepage: string } = JSON.parse(readFileSync('package.json', 'utf8'));
const BASE = new URL(homepage).pathname;

/** The file that a link on a page leads to, if there is one. */
function fileOf(link: string, page: string): string | undefined {
  const file = join(DIST, link.startsWith('/') ? link.slice(BASE.length) : join(dirname(page), link));
  return [file, `${file}.html`, join(file, 'index.html')].find((each) => existsSync(each));
}

function isThere(path: string): boolean {
  return fileOf(path, '') !== undefined;
}

const known = new Map<string, ReadonlySet<string>>();

function idsOf(file: string): ReadonlySet<string> {
  if (!file.endsWith('.html')) return new Set();
  const ids =
    known.get(file) ??
    new Set([...readFileSync(file, 'utf8').matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
  known.set(file, ids);
  return ids;
}
