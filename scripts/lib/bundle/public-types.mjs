// The declarations that users see: those of the compiler, without internal parts. Removed are
// - members, parameters and declarations whose comment says `@internal`,
// - `protected` members, and constructors whose comment does not say `@public`: our functions make those objects,
// - last parameters whose type is called `…Parts`, `…Deps`, `Clock` or `System`: tests use them to inject dependencies.
// Types that are inferred from schemas and tables are written out, and a file's private aliases are inlined.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { inferredTypes } from './inferred-types.mjs';

const COMPILED = '.cache/types';
const PUBLIC = '.cache/public-types';

/** Where the public declarations of a source file are. */
export function publicTypesOf(source) {
  return source.replace(/^src/, PUBLIC).replace(/\.ts$/, '.d.ts');
}

/** Writes them again. */
export function writePublicTypes() {
  rmSync(PUBLIC, { recursive: true, force: true });
  const names = readdirSync(COMPILED, { recursive: true })
    .filter((name) => name.endsWith('.d.ts'))
    .sort();
  const place = (name) => resolve(COMPILED, name);
  const sourceOf = (name) => resolve('src', name.replace(/\.d\.ts$/, '.ts'));
  const inferredIn = inferredTypes(names.map(sourceOf));
  for (const name of names) {
    const file = join(PUBLIC, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, publicPart(readFileSync(place(name), 'utf8'), inferredIn(sourceOf(name))));
  }
}

/** The public part of one declaration file; `inferred` has the texts of declarations to write out. */
function publicPart(text, inferred) {
  const file = ts.createSourceFile('file.d.ts', text, ts.ScriptTarget.Latest, true);
  const own = ownAliases(file);
  const cuts = [];
  visit(file);
  return cuts.reduceRight((left, { from, to, by }) => left.slice(0, from) + by + left.slice(to), text);

  function visit(node) {
    const written = ts.isStatement(node) ? inferred.get(node.name?.text) : undefined;
    const by = written ?? ownType(node, own) ?? replacementOf(node, file);
    // Returns no value: the compiler's walk would end at the first one.
    if (by === undefined) ts.forEachChild(node, visit);
    else if (written !== undefined || ts.isTypeNode(node))
      cuts.push({ from: node.getStart(), to: node.end, by });
    else cuts.push({ ...placeOf(node, text), by });
  }
}

/** The aliases without parameters that a file does not export, by name. */
function ownAliases(file) {
  const aliases = file.statements.filter(
    (node) =>
      ts.isTypeAliasDeclaration(node) &&
      node.typeParameters === undefined &&
      !(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export),
  );
  return new Map(aliases.map(({ name, type }) => [name.text, type]));
}

/** The meaning of a file's own alias, if a node names one. */
function ownType(node, own) {
  if (!ts.isTypeReferenceNode(node) || !own.has(node.typeName.getText())) return undefined;
  return `(${textOf(own.get(node.typeName.getText()))})`;

  function textOf(type) {
    const inner = [];
    const start = type.getStart();
    visit(type);
    return inner.reduceRight(
      (left, { from, to, by }) => left.slice(0, from - start) + by + left.slice(to - start),
      type.getText(),
    );

    function visit(each) {
      const by = ownType(each, own);
      if (by === undefined) ts.forEachChild(each, visit);
      else inner.push({ from: each.getStart(), to: each.end, by });
    }
  }
}

/** The replacement of a node that is not public; undefined for one that is. */
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
  return (
    isLast && type !== undefined && /^(?:Partial<)?\w*(?:Parts|Deps|Clock|System)>?$/.test(type.getText())
  );
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
