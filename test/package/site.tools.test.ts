import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
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
    const entryPoints = Object.keys(JSON.parse(readFileSync('api/entry-points.json', 'utf8')));
    const api = entryPoints.map((name) => `api/${name.replace('.', 'coxswain').replaceAll('/', '.')}`);
    const wanted = [
      'index',
      'start/quick-start',
      'reference/options',
      'reference/for-authors-of-tools',
      ...api,
    ];
    expect(wanted.filter((name) => !isThere(name))).toEqual([]);
    const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' });
    expect(files.some((name) => name.includes('localSearchIndex'))).toBe(true);
  });

  test('has one API page for each entry point, and fewer than 20 MB', () => {
    const api = pages().filter((page) => page.startsWith('api/') && page !== 'api/index.html');
    expect(api).toHaveLength(Object.keys(JSON.parse(readFileSync('api/entry-points.json', 'utf8'))).length);
    const files = readdirSync(DIST, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const bytes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20e6);
  });

  test.each([
    ['SSE', /how-to\/(?:any-language|web-app|next-js)#/],
    ['Slack', /how-to\/webhooks#/],
    ['restart', /how-to\/(?:many-conversations|run-a-console|web-app)#/],
    ['jest', /how-to\/jest#/],
    ['bundle', /how-to\/bundle#/],
    ['permission later', /how-to\/answer-prompts#/],
    ['next.js', /how-to\/next-js#/],
    ['budget', /how-to\/(?:many-conversations|limits)#/],
  ])('a search for "%s" finds its guide first', async (words, guide) => {
    const [first] = (await index()).search(words);
    expect(first?.id).toMatch(guide);
  });

  test('a search for the name of a symbol finds it', async () => {
    const found = (await index()).search('openSession').map(({ id }) => id);
    expect(found).toContain(`${BASE}api/coxswain#opensession`);
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

/** The search of the site, as its page makes it. */
async function index(): Promise<{ search(words: string): readonly { readonly id: string }[] }> {
  const { default: MiniSearch } = await import(resolve('site/node_modules/minisearch/dist/es/index.js'));
  const { searchOptions } = await import(resolve('site/search.mjs'));
  const [file = ''] = readdirSync(`${DIST}/assets/chunks`).filter((name) =>
    name.includes('localSearchIndex'),
  );
  const { default: json } = await import(resolve(DIST, 'assets/chunks', file));
  return MiniSearch.loadJSON(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions,
  });
}

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
