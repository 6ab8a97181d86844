import { parseExpressionAt } from 'acorn';
import type { AstNode } from './ast.js';

/** One edit: text to insert at a position of the source. */
export interface Edit {
  readonly at: number;
  readonly code: string;
}

/** A function of a large source: its tree, and edits relative to its nodes. */
export interface Slice {
  /** The syntax tree of the function. */
  readonly ast: AstNode;
  /** The text of a node. */
  text(node: AstNode): string;
  /** Inserts code before a node. */
  before(node: AstNode, code: string): void;
  /** Inserts code after a node. */
  after(node: AstNode, code: string): void;
  /** Inserts code at the beginning of a function's body. */
  intoBody(code: string): void;
}

/** What to search around an anchor: any function, or an async method with a name. */
export type SliceKind = 'function' | { readonly method: string };

/** The maximum length of a function, in characters. */
const REACH = 400_000;
/** How many starting points are tried before an anchor counts as outside of any function. */
const TRIES = 200;

/** Parses only the functions around anchors: parsing the whole file would take seconds and gigabytes. */
export class SliceFinder {
  readonly #source: string;
  readonly #found = new Map<string, readonly Enclosing[]>();

  constructor(source: string) {
    this.#source = source;
  }

  /** The functions around each occurrence of an anchor; changes to them are added to `edits`. */
  around(
    anchor: string,
    { kind = 'function', edits }: { readonly kind?: SliceKind; readonly edits: Edit[] },
  ): readonly Slice[] {
    const key = `${JSON.stringify(kind)} ${anchor}`;
    const found = this.#found.get(key) ?? this.#search(anchor, kind);
    this.#found.set(key, found);
    return found.map((each) => toSlice(this.#source, each, edits));
  }

  #search(anchor: string, kind: SliceKind): readonly Enclosing[] {
    const source = this.#source;
    const found = new Map<number, Enclosing>();
    for (let at = source.indexOf(anchor); at >= 0; at = source.indexOf(anchor, at + 1)) {
      const around = enclosing(source, at, kind);
      if (around !== undefined) found.set(around.start, around);
    }
    return [...found.values()];
  }
}

interface Enclosing {
  readonly ast: AstNode;
  /** The source position of the first character of the tree. */
  readonly base: number;
  readonly start: number;
}

function enclosing(source: string, at: number, kind: SliceKind): Enclosing | undefined {
  const word = kind === 'function' ? 'function' : `async ${kind.method}(`;
  // A method alone is not an expression; with this word before it, it is.
  const prefix = kind === 'function' ? '' : 'async function ';
  const skipped = kind === 'function' ? 0 : 'async '.length;
  let start = at;
  for (let tries = 0; tries < TRIES; tries += 1) {
    start = source.lastIndexOf(word, start - 1);
    if (start < 0) return undefined;
    const begin = kind === 'function' ? beginning(source, start) : start;
    const ast = tryParse(prefix + source.slice(begin + skipped, begin + REACH));
    const base = begin + skipped - prefix.length;
    if (ast !== undefined && base + ast.end > at) return { ast, base, start: begin };
  }
  return undefined;
}

/** Without its `async`, a function that uses `await` would not parse. */
function beginning(source: string, start: number): number {
  return source.slice(start - 6, start) === 'async ' ? start - 6 : start;
}

function tryParse(text: string): AstNode | undefined {
  try {
    const parsed = parseExpressionAt(text, 0, { ecmaVersion: 'latest', sourceType: 'module' });
    // What follows a method may look like the rest of a list.
    const ast = parsed.type === 'SequenceExpression' ? parsed.expressions[0] : parsed;
    return ast?.type === 'FunctionExpression' ? ast : undefined;
  } catch {
    return undefined;
  }
}

function toSlice(source: string, { ast, base }: Enclosing, edits: Edit[]): Slice {
  const put = (at: number, code: string) => edits.push({ at: base + at, code });
  return {
    ast,
    text: (node) => source.slice(base + node.start, base + node.end),
    before: (node, code) => put(node.start, code),
    after: (node, code) => put(node.end, code),
    intoBody: (code) => {
      if (ast.type === 'FunctionExpression') put(ast.body.start + 1, code);
    },
  };
}
