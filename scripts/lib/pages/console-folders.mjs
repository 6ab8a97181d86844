// The folders for the console's screenshots: a small git repository, and conversations of the last weeks.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BEFORE = `/** The part of an address that stands for a title. */
export function slugify(title: string) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
`;
const AFTER = `/** The part of an address that stands for a title. */
export function slugify(title: string) {
  const plain = title.normalize('NFKD').replace(/\\p{M}/gu, '').replaceAll('ß', 'ss');
  return plain.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
`;
const TEST = `import { expect, test } from 'vitest';
import { slugify } from '../src/slug.js';

test('accents go, letters stay', () => {
  expect(slugify('Straße am Café')).toBe('strasse-am-cafe');
});
`;

/** Creates the folders; returns functions that change them as the conversation tells. */
export function makeFolders(root) {
  for (const name of ['shop', 'docs', 'blog/src', 'blog/test'])
    mkdirSync(join(root, name), { recursive: true });
  const blog = join(root, 'blog');
  const put = (path, text) => writeFileSync(join(blog, path), text);
  put('src/slug.ts', BEFORE);
  put('src/feed.ts', "import { slugify } from './slug.js';\n");
  put('test/feed.test.ts', "import '../src/feed.js';\n");
  put('README.md', '# Blog\n');
  // The same commit every time.
  const date = '2026-01-01T00:00:00Z';
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    [...who, 'commit', '-qm', 'First'],
  ])
    execFileSync('git', args, { cwd: blog, env });
  for (const [index, name] of ['blog', 'shop', 'docs'].entries()) putUsage(root, name, index + 1);
  return () => {
    put('src/slug.ts', AFTER);
    put('test/slug.test.ts', TEST);
  };
}

/** A conversation on disk with answers on most days of the last month. */
function putUsage(root, name, number) {
  const cwd = join(root, name);
  const sessionId = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const asked = { role: 'user', content: 'Go on' };
  const lines = [{ type: 'user', parentUuid: null, cwd, sessionId, uuid: sessionId, message: asked }];
  for (let day = 29; day >= 0; day -= 1) {
    const share = (day * 7 * number + day * day) % 11;
    if (share < 3) continue;
    const usage = {
      input_tokens: share * 900,
      cache_read_input_tokens: (share * 30_000) / number,
      cache_creation_input_tokens: share * 4_000,
      output_tokens: share * 2_100,
    };
    const id = `msg_${number}_${day}`;
    const content = [{ type: 'text', text: 'Done.' }];
    const uuid = `00000000-0000-4000-8000-${String(number * 1_000 + day).padStart(12, '0')}`;
    const timestamp = new Date(Date.now() - day * 86_400_000).toISOString();
    const message = { id, type: 'message', role: 'assistant', content, usage };
    lines.push({ type: 'assistant', parentUuid: null, cwd, sessionId, uuid, timestamp, message });
  }
  const project = join(root, '.claude', 'projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(project, { recursive: true });
  writeFileSync(
    join(project, `${sessionId}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
}
