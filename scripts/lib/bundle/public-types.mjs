// The declarations that users see: those of the compiler, without what only our own code may use. Taken out are
// - members, parameters and declarations whose comment says `@internal`,
// - `protected` members, and constructors whose comment does not say `@public`: our functions make those objects,
// - last parameters whose type is called `…Parts`, `…Deps` or `Clock`: by them tests bring clocks and systems of their own.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const COMPILED = '.cache/types';
const PUBLIC = '.cache/public-types';

/** Where the public declarations of a source file are. */
export function publicTypesOf(source) {
  return source.replace(/^src/, PUBLIC).replace(/\.ts$/, '.d.ts');
}

/** Writes them anew. */
export function writePublicTypes() {
  rmSync(PUBLIC, { recursive: true, force: true });
  for (const name of readdirSync(COMPILED, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const file = join(PUBLIC, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, publicPart(readFileSync(join(COMPILED, name), 'utf8')));
  }
}

/** What is public of one file of declarations. */
function publicPart(text) {
  const file = ts.createSourceFile('file.d.ts', text, ts.ScriptTarget.Latest, true);
  const cuts = [];
  visit(file);
  return cuts.reduceRight((left, { from, to, by }) => left.slice(0, from) + by + left.slice(to), text);

  function visit(node) {
    const by = replacementOf(node, file);
    if (by === undefined) ts.forEachChild(node, visit);
    else cuts.push({ ...placeOf(node, text), by });
  }
}

/** What stands for a node that is not public; undefined for one that is. */
function replacementOf(node, file) {
  if (ts.isConstructorDeclaration(node) && !isPrivate(node)) {
    return /@public\b/.test(commentOf(node, file)) ? undefined : '\n    protected constructor();';
  }
  if (ts.isParameter(node)) return isInjected(node) ? '' : undefined;
  if (!ts.isClassElement(node) && !ts.isTypeElement(node) && !ts.isStatement(node)) return undefined;
  const flags = ts.canHaveModifiers(node) ? ts.getCombinedModifierFlags(node) : 0;
  const isOurs = flags & ts.ModifierFlags.Protected || /@internal\b/.test(commentOf(node, file));
  return isOurs ? '' : undefined;
}

function isPrivate(node) {
  return Boolean(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private);
}

function isInjected({ type, parent, questionToken }) {
  const isLast = questionToken !== undefined && parent.parameters.at(-1)?.type === type;
  if (!isLast || type === undefined || !ts.isTypeReferenceNode(type)) return false;
  return /(?:Parts|Deps|Clock)$/.test(type.typeName.getText());
}

function commentOf(node, file) {
  const ranges = ts.getLeadingCommentRanges(file.text, node.getFullStart()) ?? [];
  const last = ranges.at(-1);
  return last === undefined ? '' : file.text.slice(last.pos, last.end);
}

/** With its comment, and for a parameter with the comma before it. */
function placeOf(node, text) {
  const from = node.getFullStart();
  if (!ts.isParameter(node)) return { from, to: node.end };
  return { from: text[from - 1] === ',' ? from - 1 : from, to: node.end };
}
