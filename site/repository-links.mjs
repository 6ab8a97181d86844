import { existsSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

/** A plugin for markdown-it: links to files that are no pages of the site lead to the repository. */
export function repositoryLinks(markdown, { root, source }) {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open') token.attrSet('href', target(token.attrGet('href'), env.path));
    }
  });

  function target(href, page) {
    const [path, hash = ''] = href.split('#');
    if (path === '' || /^([a-z]+:|\/)/.test(path)) return href;
    const file = resolve(dirname(page), path);
    const isPage = file.startsWith(resolve(root, 'docs')) && file.endsWith('.md');
    if (isPage || !existsSync(file)) return href;
    const kind = statSync(file).isDirectory() ? 'tree' : 'blob';
    return `${source}/${kind}/main/${relative(root, file)}${hash && `#${hash}`}`;
  }
}
