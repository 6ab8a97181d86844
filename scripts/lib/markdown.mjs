// Markdown helpers for the generated pages.

/** The note at the top of a generated page. */
export const NOTICE =
  '<!-- Written by scripts/write-reference.mjs: edit the source named below, not this page. -->';

/** A table. Vertical bars inside cells would end them. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Paragraphs and tables as one text, with one kind of apostrophe. */
export function page(...parts) {
  return `${parts.join('\n\n').replaceAll('’', "'")}\n`;
}
