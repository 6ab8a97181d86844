import { Marked, type Token, type TokenizerAndRendererExtension } from 'marked';

/** A formula in markdown, as TeX. */
export interface FormulaToken {
  readonly type: 'formula';
  readonly raw: string;
  readonly tex: string;
  /** Whether it has lines of its own. */
  readonly display: boolean;
}

/** The longest formula: a stray dollar sign must not make the parser look through the whole text. */
const LONGEST = 4_000;

const DISPLAY = /^(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n|$)/;
// As in pandoc: no blank inside the dollar signs, and no digit or letter after them, so that prices are not formulas.
const INLINE = /^(?:\$\$([^$\n]+)\$\$|\$(?!\s)((?:\\.|[^$\\\n])*?[^\s\\$])\$(?![\w$])|\\\(([^\n]+?)\\\))/;

const display: TokenizerAndRendererExtension = {
  name: 'formula',
  level: 'block',
  start: (text) => found(text, /(?:^|\n)[ \t]*(?:\$\$|\\\[)/),
  tokenizer: (text) => formula(DISPLAY.exec(text.slice(0, LONGEST)), true),
};

const inline: TokenizerAndRendererExtension = {
  name: 'formula',
  level: 'inline',
  start: (text) => found(text, /\$|\\\(/),
  tokenizer: (text) => formula(INLINE.exec(text.slice(0, LONGEST)), false),
};

const marked = new Marked({ extensions: [display, inline] });

/** The tokens of a markdown text, with its formulas. */
export function markdownTokens(text: string): readonly Token[] {
  return marked.lexer(text);
}

function found(text: string, pattern: RegExp): number | undefined {
  return pattern.exec(text)?.index;
}

function formula(match: RegExpExecArray | null, isDisplay: boolean): FormulaToken | undefined {
  if (match === null) return undefined;
  const tex = match.slice(1).find((part) => part !== undefined) ?? '';
  const isBlock = isDisplay || match[0].startsWith('$$');
  return { type: 'formula', raw: match[0], tex: tex.trim(), display: isBlock };
}
