/** A use of the official SDK in a source file. */
export interface SdkUse {
  readonly kind: 'import' | 'option';
  /** The imported name or the option's name; `*` is the whole module. */
  readonly name: string;
  /** The subpath after the package name, such as `/core`; empty for the main entry point. */
  readonly entry: string;
  readonly line: number;
}

/** An import of the official SDK that has to change. */
export interface ImportLine {
  readonly line: number;
  readonly text: string;
}

/** How a source file uses the official SDK. */
export interface SourceReading {
  readonly uses: readonly SdkUse[];
  readonly imports: readonly ImportLine[];
}

/** The names under which the official SDK has been published. */
const PACKAGES = /@anthropic-ai\/claude-(?:agent-sdk|code)/;

const SPECIFIER = `(['"])@anthropic-ai/claude-(?:agent-sdk|code)((?:/[\\w./-]+)?)\\1`;
const FROM = new RegExp(
  `(?:import|export)\\s+(type\\s+)?([^'";()]*?)\\s*from\\s*${SPECIFIER.replace('\\1', '\\3')}`,
  'g',
);
const WHOLE = new RegExp(
  `(?:const|let|var)\\s+([^=;]+?)\\s*=\\s*(?:await\\s+import|require)\\s*\\(\\s*${SPECIFIER.replace('\\1', '\\2')}`,
  'g',
);
const OPTIONS = /(?:\boptions\s*:|:\s*Options\s*=|\bOptions>?\s*=)\s*\{/g;

/** Finds imports of the official SDK and literal options in TypeScript or JavaScript. */
export function readSource(text: string): SourceReading {
  if (!PACKAGES.test(text)) return { uses: [], imports: [] };
  const code = blanked(text, { keepsTexts: true });
  const bare = blanked(text, { keepsTexts: false });
  const lineAt = (index: number) => code.slice(0, index).split('\n').length;
  const lines = text.split('\n');
  const found = [
    ...[...code.matchAll(FROM)].map((match) => ({ match, clause: match[2] ?? '', entry: match[4] ?? '' })),
    ...[...code.matchAll(WHOLE)].map((match) => ({ match, clause: match[1] ?? '', entry: match[3] ?? '' })),
  ];
  if (found.length === 0) return { uses: [], imports: [] };
  const uses = found.flatMap(({ match, clause, entry }) =>
    importedNames(clause).map((name): SdkUse => ({ kind: 'import', name, entry, line: lineAt(match.index) })),
  );
  const imports = found.map(({ match }) => {
    const line = lineAt(match.index + match[0].length);
    return { line, text: lines[line - 1] ?? '' };
  });
  const options = [...bare.matchAll(OPTIONS)].flatMap(({ 0: head, index }) =>
    keysOf(bare, index + head.length).map(
      ({ name, at }): SdkUse => ({ kind: 'option', name, entry: '', line: lineAt(at) }),
    ),
  );
  return { uses: [...uses, ...options], imports };
}

/** The names in an import clause: `{ a, type B as C }`, `* as sdk`, `{ a: b }` of a destructured module. */
function importedNames(clause: string): readonly string[] {
  const braced = /\{([^}]*)\}/.exec(clause)?.[1];
  if (braced === undefined) return ['*'];
  return braced
    .split(',')
    .map((item) => /^\s*(?:type\s+)?([\w$]+)/.exec(item)?.[1] ?? '')
    .filter((name) => name !== '');
}

interface Key {
  readonly name: string;
  readonly at: number;
}

/** The keys of the object that starts here, top level only. */
function keysOf(code: string, start: number): readonly Key[] {
  const keys: Key[] = [];
  let depth = 0;
  let atKey = true;
  for (let at = start; at < code.length && depth >= 0; at += 1) {
    const character = code[at] ?? '';
    depth += DEPTH[character] ?? 0;
    if (depth !== 0 || /\s/.test(character)) continue;
    const [name] = (atKey && /^[\w$]+/.exec(code.slice(at, at + 100))) || [];
    if (name !== undefined) keys.push({ name, at });
    at += (name ?? ' ').length - 1;
    atKey = character === ',';
  }
  return keys;
}

const DEPTH: Readonly<Record<string, number>> = { '{': 1, '[': 1, '(': 1, '}': -1, ']': -1, ')': -1 };

const QUOTES = new Set(['"', "'", '`']);

/** Blanks out comments, and optionally strings, so every position keeps its line. */
function blanked(text: string, { keepsTexts }: { readonly keepsTexts: boolean }): string {
  let code = '';
  for (let at = 0; at < text.length; at += 1) {
    const start = at;
    const two = text.slice(at, at + 2);
    const isComment = two === '//' || two === '/*';
    if (isComment) at = endOfComment(text, at);
    else if (QUOTES.has(text[at] ?? '')) at = endOfText(text, at);
    const part = text.slice(start, at + 1);
    const isKept = !isComment && (keepsTexts || at === start);
    code += isKept ? part : part.replaceAll(/[^\n]/g, ' ');
  }
  return code;
}

function endOfComment(text: string, start: number): number {
  const isLine = text[start + 1] === '/';
  const end = text.indexOf(isLine ? '\n' : '*/', start + 2);
  if (end === -1) return text.length - 1;
  return isLine ? end - 1 : end + 1;
}

/**
 * The end of a quoted string. A single-line string that does not end is not a string, but a character in a
 * regular expression.
 */
function endOfText(code: string, start: number): number {
  const quote = code[start];
  for (let at = start + 1; at < code.length; at += 1) {
    if (code[at] === '\\') at += 1;
    else if (code[at] === quote) return at;
    else if (code[at] === '\n' && quote !== '`') return start;
  }
  return start;
}
