import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { repositoryLinks } from '../repository-links.mjs';
import { searchedText, searchOptions } from '../search.mjs';
import { sidebar } from '../sidebar.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { description, homepage, repository } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const source = repository.url.replace(/^git\+|\.git$/g, '');

/** Each word of coloured code is an element: of a type with hundreds of members, they would be most of the site. */
const MAX_COLOURED = 2000;

export default defineConfig({
  title: 'Coxswain',
  description,
  base: new URL(homepage).pathname,
  srcDir: '../docs',
  outDir: './dist',
  cleanUrls: true,
  // Pages do not repeat the list of all pages.
  metaChunk: true,
  lastUpdated: false,
  markdown: {
    // Braces behind code are part of the text in our pages.
    attrs: { disable: true },
    config: (markdown) => {
      markdown.use(repositoryLinks, { root, source });
      const { highlight } = markdown.options;
      markdown.options.highlight = (code, language, attributes) =>
        highlight(code, code.length > MAX_COLOURED ? 'txt' : language, attributes);
    },
  },
  themeConfig: {
    search: { provider: 'local', options: { _render: searchedText, miniSearch: { searchOptions } } },
    nav: [
      { text: 'Start', link: '/start/quick-start' },
      { text: 'Guides', link: '/how-to/sessions' },
      { text: 'Reference', link: '/reference/options' },
      { text: 'API', link: '/api/' },
      { text: 'Help', link: '/help/troubleshooting' },
    ],
    sidebar: sidebar(`${root}docs`, JSON.parse(readFileSync(`${root}api/entry-points.json`, 'utf8'))),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: source }],
    footer: { message: 'MIT License. Coxswain is not affiliated with Anthropic.' },
  },
});
