import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { repositoryLinks } from '../repository-links.mjs';
import { sidebar } from '../sidebar.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { description, homepage, repository } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const source = repository.url.replace(/^git\+|\.git$/g, '');

export default defineConfig({
  title: 'Coxswain',
  description,
  base: new URL(homepage).pathname,
  srcDir: '../docs',
  outDir: './dist',
  cleanUrls: true,
  lastUpdated: false,
  markdown: {
    // Braces behind code are part of the text in our pages.
    attrs: { disable: true },
    config: (markdown) => markdown.use(repositoryLinks, { root, source }),
  },
  themeConfig: {
    search: { provider: 'local', options: { _render: titlesOrText } },
    nav: [
      { text: 'Start', link: '/start/quick-start' },
      { text: 'Guides', link: '/how-to/sessions' },
      { text: 'Reference', link: '/reference/options' },
      { text: 'API', link: '/api/' },
      { text: 'Help', link: '/help/troubleshooting' },
    ],
    sidebar: sidebar(`${root}docs`),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: source }],
    footer: { message: 'MIT License. Coxswain is not affiliated with Anthropic.' },
  },
});

/** Found by their title alone: the API by its symbols, and pages whose many headings would hide the guides. */
const BY_TITLE = /^(?:api|decisions)\/|^reference\/(?:benchmarks|conformance|faults)\.md$/;

async function titlesOrText(text, env, markdown) {
  const html = await markdown.render(text, env);
  if (env.frontmatter?.search === false) return '';
  return BY_TITLE.test(env.relativePath) ? (/<h1[\s\S]*?<\/h1>/.exec(html)?.[0] ?? '') : html;
}
