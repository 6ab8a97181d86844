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
    // Text that a page includes speaks of files as from the root.
    const file = [resolve(dirname(page), path), resolve(root, path)].find((each) => existsSync(each));
    if (file === undefined) return href;
    const inDocs = relative(resolve(root, 'docs'), file);
    if (!inDocs.startsWith('..') && file.endsWith('.md')) return `/${inDocs}${hash && `#${hash}`}`;
    const kind = statSync(file).isDirectory() ? 'tree' : 'blob';
    return `${source}/${kind}/main/${relative(root, file)}${hash && `#${hash}`}`;
  }
}
