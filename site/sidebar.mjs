import { readdirSync, readFileSync } from 'node:fs';

/**
 * The pages in reading order. Titles come from the pages. A section has only the pages it names (`only`), or those
 * that no other section has: the named ones first.
 */
const sections = [
  { text: 'Start', folder: 'start', first: ['quick-start', 'cli-and-login', 'ten-minutes'] },
  {
    text: 'Guides',
    folder: 'how-to',
    first: [
      'sessions',
      'streaming',
      'answer-prompts',
      'hooks',
      'tools-in-your-process',
      'structured-output',
      'limits',
      'web-app',
      'next-js',
      'bundle',
      'ci-jobs',
      'command-line',
      'sessions-on-disk',
      'move-from-the-official-sdk',
      'patch-an-old-cli',
    ],
  },
  {
    text: 'Testing and recordings',
    folder: 'how-to',
    only: ['test-your-app-without-a-key', 'jest', 'look-at-a-recording', 'from-a-bug-report-to-a-test'],
  },
  {
    text: 'Console and API',
    folder: 'how-to',
    only: [
      'use-the-console',
      'run-a-console',
      'remote-sessions',
      'any-language',
      'webhooks',
      'conversations-as-tools',
    ],
  },
  {
    text: 'Many conversations',
    folder: 'how-to',
    only: ['many-conversations', 'share-one-login', 'isolate-sessions', 'run-a-fleet', 'operate-a-fleet'],
  },
  {
    text: 'Integrations',
    folder: 'how-to',
    only: ['use-an-editor', 'use-the-ai-sdk', 'trace-with-opentelemetry'],
  },
  { text: 'Concepts', folder: 'concepts', first: ['words', 'turns', 'prompts', 'versions', 'costs'] },
  {
    text: 'Reference',
    folder: 'reference',
    first: [
      'options',
      'controls',
      'command-line',
      'errors',
      'diagnostics',
      'for-authors-of-tools',
      'endpoints',
    ],
  },
  { text: 'Help', folder: 'help', first: ['troubleshooting', 'comparison', 'platforms'] },
  { text: 'Decisions', folder: 'decisions', first: [], collapsed: true },
];

const elsewhere = new Set(sections.flatMap(({ only = [] }) => only));

/** `entryPoints` as in api/entry-points.json: those for programs come first. */
export function sidebar(docs, entryPoints) {
  const pages = sections.map(({ text, folder, first = [], only, collapsed = false }) => ({
    text,
    collapsed,
    items: (only ?? pagesOf(`${docs}/${folder}`, first)).map((name) => ({
      text: titleOf(`${docs}/${folder}`, name),
      link: `/${folder}/${name}`,
    })),
  }));
  const api = Object.keys(entryPoints).map((entryPoint) => entryPoint.replace(/^\./, 'coxswain'));
  const items = api.map((name) => ({ text: name, link: `/api/${name.replaceAll('/', '.')}` }));
  return [...pages, { text: 'API', collapsed: true, items }];
}

function pagesOf(folder, first) {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .filter((name) => !elsewhere.has(name));
  return [...first.filter((name) => names.includes(name)), ...names.filter((name) => !first.includes(name))];
}

/** Its first heading; a page that only includes another has none. */
function titleOf(folder, name) {
  const heading = /^# (.+)$/m.exec(readFileSync(`${folder}/${name}.md`, 'utf8'));
  return heading?.[1].replaceAll('`', '') ?? `${name[0].toUpperCase()}${name.slice(1)}`;
}
