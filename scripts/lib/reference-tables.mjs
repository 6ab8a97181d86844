// The generated tables and pages, as functions from data to Markdown.

const NOTICE = '<!-- Written by scripts/write-reference.mjs: edit the source named below, not this page. -->';

/** The doors of the package, for the README. */
export function doorsTable(doors) {
  const rows = Object.entries(doors).map(([door, { is, npm, node }]) => [
    `\`${door.replace(/^\./, 'coxswain')}\``,
    is,
    [...npm.map((name) => `\`${name}\``), node ? 'Node' : 'runs anywhere'].join(', '),
  ]);
  return table(['door', 'what it offers', 'needs'], rows);
}

/** Who may import whom, for ARCHITECTURE.md. */
export function layersTable(layers) {
  const rows = Object.entries(layers).map(([layer, { is, may, pure, npm = [] }]) => [
    `\`${layer}\``,
    `${is}${pure ? ' (pure)' : ''}`,
    may.join(', ') || '–',
    npm.join(', ') || '–',
  ]);
  return table(['layer', 'what it is', 'may import', 'npm packages'], rows);
}

/** docs/reference/errors.md */
export function errorsPage(codes) {
  const rows = Object.entries(codes).map(([code, sentence]) => [`\`${code}\``, sentence]);
  return [
    '# Error codes',
    NOTICE,
    'Every error that Coxswain makes is a `CoxswainError`. Match on `error.code`: codes are stable, messages are not.\n' +
      'The message says what went wrong, where, and what to do; `error.cause` keeps the error underneath.',
    table(['code', 'meaning'], rows),
    'Source: `src/util/error-codes.ts`.\n',
  ].join('\n\n');
}

// Bars inside cells would end them.
function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
