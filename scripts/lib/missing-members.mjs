// Compares two sets of declarations path by path: assignability alone cannot see an optional member that one of them lacks.
import ts from 'typescript';
import { programBesideOfficial } from './beside-official.mjs';

/** Both sides take the model's types from the same package, so nothing is to be compared there. */
const SHARED = ['@anthropic-ai/sdk'];

/**
 * What one module declares and another does not: `Name.path.to.member`, `path = "word"` for a literal of a union, and
 * `path: any` where the other has a type. Names that the other lacks are listed by themselves.
 */
export function missingMembers({ wanted, offered, names }) {
  const { checker, wantedExports, offeredExports } = modulesIn({ wanted, offered });
  const walk = walkWith(checker);
  const listed = [...wantedExports].filter(([name]) => names === undefined || names.includes(name));
  for (const [name, symbol] of listed) {
    const other = offeredExports.get(name);
    if (other === undefined) walk.missing.add(name);
    else walk.compare(typesOf(checker, symbol), typesOf(checker, other), name);
  }
  return [...walk.missing].sort();
}

function modulesIn({ wanted, offered }) {
  const text = [wanted, offered].map((path) => `import ${JSON.stringify(path)};`).join('\n');
  const { program, source } = programBesideOfficial(text, SHARED);
  const checker = program.getTypeChecker();
  const [wantedExports, offeredExports] = source.statements.map(({ moduleSpecifier }) => {
    const module = checker.getSymbolAtLocation(moduleSpecifier);
    if (module === undefined) throw new Error(`The module ${moduleSpecifier.text} was not found.`);
    return new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));
  });
  return { checker, wantedExports, offeredExports };
}

/** The types behind an exported name: of a value, a type, or both. */
function typesOf(checker, exported) {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  return [
    ...(symbol.flags & ts.SymbolFlags.Type ? [checker.getDeclaredTypeOfSymbol(symbol)] : []),
    ...(symbol.flags & ts.SymbolFlags.Value ? [checker.getTypeOfSymbol(symbol)] : []),
  ];
}

/** Walks two lists of types side by side; a pair that was seen before is not walked again. */
function walkWith(checker) {
  const missing = new Set();
  const seen = new Set();
  const compare = (wanted, offered, path) => {
    const [a, b] = [parts(wanted), parts(offered)];
    const key = [a, b].map(idsOf).join('|');
    if (seen.has(key) || a.every((type) => b.includes(type))) return;
    seen.add(key);
    if (!b.some(isAny)) compareMembers(a, b, path);
    else if (!a.some(isAny) && a.some(isTyped)) missing.add(`${path}: any`);
  };
  const compareMembers = (a, b, path) => {
    for (const literal of literalsMissing(a, b)) missing.add(`${path} = ${JSON.stringify(literal)}`);
    const others = membersOf(checker, b);
    for (const [name, types] of membersOf(checker, a)) {
      const other = others.get(name);
      if (other !== undefined) compare(types, other, `${path}${name}`);
      else missing.add(`${path}${name}`);
    }
  };
  return { missing, compare };
}

/** The members of unions, each once, without `undefined` and `null`. */
function parts(types) {
  const all = types.flatMap((type) => (type.isUnion() ? type.types : [type]));
  return [...new Set(all)].filter(({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)));
}

/** Names a list of types, in whatever order they come. */
function idsOf(types) {
  return types
    .map(({ id }) => id)
    .sort()
    .join();
}

const isAny = ({ flags }) => (flags & ts.TypeFlags.Any) !== 0;
const isTyped = ({ flags }) => (flags & ts.TypeFlags.Unknown) === 0;

function literalsMissing(wanted, offered) {
  const literals = wanted.filter((type) => type.isLiteral()).map(({ value }) => value);
  return literals.filter((each) => !takes(offered, each));
}

/** Whether a literal is among the types, itself or by its kind. */
function takes(types, literal) {
  const kind = typeof literal === 'string' ? ts.TypeFlags.String : ts.TypeFlags.Number;
  return types.some(
    (type) =>
      (type.flags & (kind | ts.TypeFlags.Unknown)) !== 0 || (type.isLiteral() && type.value === literal),
  );
}

/** What is reachable from the types in one step: `.property`, `[]`, `(0)` for an argument, `()` for a result. */
function membersOf(checker, types) {
  const found = new Map();
  const add = (name, type) => found.set(name, [...(found.get(name) ?? []), type]);
  for (const type of types) {
    for (const item of itemsOf(checker, type)) add('[]', item);
    if (isForeign(type)) continue;
    for (const property of type.getProperties())
      if (!isHidden(property)) add(`.${property.name}`, checker.getTypeOfSymbol(property));
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      for (const [index, each] of signature.parameters.entries())
        add(`(${index})`, checker.getTypeOfSymbol(each));
      add('()', signature.getReturnType());
    }
  }
  return found;
}

/** The contents of a list, a record or a generic type of the language. */
function itemsOf(checker, type) {
  const indexed = checker.getIndexInfosOfType(type).map((info) => info.type);
  if (!isForeign(type)) return indexed;
  return type.flags & ts.TypeFlags.Object ? checker.getTypeArguments(type) : [];
}

/** A type of the language or of Node, which has the same members on both sides. */
function isForeign(type) {
  if (type.isIntersection()) return false;
  if (!(type.flags & ts.TypeFlags.Object)) return true;
  const file = type.symbol?.declarations?.[0]?.getSourceFile().fileName ?? '';
  return /\/(typescript\/lib|@types\/node)\//.test(file) && !/__type/.test(type.symbol.name);
}

function isHidden(property) {
  const declaration = property.valueDeclaration;
  if (declaration === undefined) return /^(?:__|#)/.test(property.name);
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return (ts.getCombinedModifierFlags(declaration) & hidden) !== 0 || /^(?:__|#)/.test(property.name);
}
