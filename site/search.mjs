/** Pages of which only the headings are searched: their texts would hide the guides. */
const BY_HEADING = /^(?:api|decisions)\/|^reference\/(?:benchmarks|conformance|faults|versions|wire)\.md$/;
/** Of a page of the API these are its symbols, of another its parts. */
const HEADINGS = /<h([123])[\s\S]*?<\/h\1>/g;

/** The part of a page that is searched. */
export async function searchedText(text, env, markdown) {
  const html = await markdown.render(text, env);
  if (env.frontmatter?.search === false) return '';
  if (!BY_HEADING.test(env.relativePath)) return html;
  const symbols = env.relativePath.startsWith('api/') ? /^<h[13]/ : /^<h[12]/;
  return (html.match(HEADINGS) ?? []).filter((heading) => symbols.test(heading)).join('\n');
}

/** How the words of a query are found. Must not refer to anything outside: it runs in the browser. */
export const searchOptions = {
  // "restart" finds "restarts" and "permision" finds "permission", but a short word is meant as it is written.
  prefix: (term) => term.length > 2,
  fuzzy: (term) => (term.length > 4 ? 0.2 : false),
  // "permission later": a section with both words comes before one that has the first word often.
  combineWith: 'OR',
  boost: { title: 3, titles: 2, text: 2 },
  // Guides first: most searches ask how, and those who look for a symbol write its whole name.
  boostDocument: (id) => {
    if (/\/(?:start|how-to)\//.test(id)) return 4;
    if (/\/(?:concepts|help)\//.test(id)) return 2;
    return /\/reference\//.test(id) ? 1 : 0.5;
  },
};
