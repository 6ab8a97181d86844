import { readdirSync, readFileSync } from 'node:fs';

/** The pages in reading order. Titles come from the pages; pages of a folder that are not named come last. */
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
      'many-conversations',
      'run-a-fleet',
      'operate-a-fleet',
      'web-app',
      'any-language',
      'conversations-as-tools',
      'webhooks',
      'ci-jobs',
      'test-your-app-without-a-key',
      'command-line',
      'use-the-console',
      'console',
      'remote-sessions',
      'sessions-on-disk',
      'look-at-a-recording',
      'from-a-bug-report-to-a-test',
      'move-from-the-official-sdk',
    ],
  },
  { text: 'Concepts', folder: 'concepts', first: ['turns', 'prompts', 'versions'] },
  {
    text: 'Reference',
    folder: 'reference',
    first: ['options', 'controls', 'command-line', 'errors', 'diagnostics', 'endpoints'],
  },
  { text: 'Help', folder: 'help', first: ['troubleshooting', 'comparison', 'platforms'] },
  { text: 'Decisions', folder: 'decisions', first: [], collapsed: true },
];

export function sidebar(docs) {
  return sections.map(({ text, folder, first, collapsed = false }) => ({
    text,
    collapsed,
    items: pagesOf(`${docs}/${folder}`, first).map((name) => ({
      text: titleOf(`${docs}/${folder}`, name),
      link: `/${folder}/${name}`,
    })),
  }));
}

function pagesOf(folder, first) {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length));
  return [...first.filter((name) => names.includes(name)), ...names.filter((name) => !first.includes(name))];
}

/** Its first heading; a page that only includes another has none. */
function titleOf(folder, name) {
  const heading = /^# (.+)$/m.exec(readFileSync(`${folder}/${name}.md`, 'utf8'));
  return heading?.[1] ?? `${name[0].toUpperCase()}${name.slice(1)}`;
}
