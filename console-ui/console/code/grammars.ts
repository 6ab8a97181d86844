import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scss from 'highlight.js/lib/languages/scss';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  scss,
  sql,
  swift,
  typescript,
  xml,
  yaml,
});

/** A run of code: its text and its class. */
export interface CodeSpan {
  readonly text: string;
  /** A class of the highlighter: `hljs-keyword`. */
  readonly kind: string | undefined;
}

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly properties?: { readonly className?: unknown };
  readonly children?: readonly Node[];
}

/** Tokenizes code; undefined for an unknown language. */
export function codeSpans(text: string, language: string): readonly CodeSpan[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  const spans: CodeSpan[] = [];
  collect(lowlight.highlight(language, text) as Node, undefined, spans);
  return spans;
}

/** The innermost class is the most specific. */
function collect(
  { type, value = '', properties, children = [] }: Node,
  kind: string | undefined,
  spans: CodeSpan[],
): void {
  if (type === 'text') spans.push({ text: value, kind });
  const names = properties?.className;
  const own = Array.isArray(names) ? names.find((name) => String(name).startsWith('hljs-')) : undefined;
  for (const child of children) collect(child, own === undefined ? kind : String(own), spans);
}
