// Writes out types that are inferred from values: users can read what a message is, their compiler needs no zod for it, and
// the values stay internal. From schemas: declarations without their own members that say `z.infer<…>` or
// `Inferred…<…>`. From tables: aliases that say `keyof typeof …` or `(typeof …)[number]`.
import ts from 'typescript';

const INFERRED = /^(?:z\.infer|Inferred\w+)$/;
const FLAGS =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.UseStructuralFallback |
  ts.NodeBuilderFlags.UseSingleQuotesForStringLiteralType;

/**
 * Writes out such declarations of source files, with the comments on the fields of schemas: the compiler leaves those out
 * of its declarations. The returned function gives the declarations of a file, by name.
 */
export function inferredTypes(files) {
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    // Without it, the order of a union depends on what the compiler saw before.
    stableTypeOrdering: true,
    exactOptionalPropertyTypes: true,
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const printer = ts.createPrinter({ removeComments: true });
  return (file) => {
    const source = program.getSourceFile(file);
    const written = new Map();
    for (const node of source?.statements ?? []) {
      if (!isInferred(node)) continue;
      const type = checker.getTypeAtLocation(node.name);
      const text = isPlainObject(type) ? membersOf(type, node, '\n') : textOf(type, node);
      written.set(node.name.text, `export type ${node.name.text} = ${text};`);
    }
    return written;
  };

  function textOf(type, node) {
    if (type.aliasSymbol !== undefined || !hasMembers(type)) return printed(type, node);
    if (type.isUnion()) return unionOf(type, node);
    if (checker.isArrayType(type))
      return `${type.symbol.name}<${textOf(checker.getTypeArguments(type)[0], node)}>`;
    return membersOf(type, node);
  }

  /** Whether a type has members of a schema, and no name by which a declaration could refer to it. */
  function hasMembers(type) {
    if (type.aliasSymbol !== undefined) return false;
    if (type.isUnion()) return type.types.some(hasMembers);
    if (checker.isArrayType(type)) return checker.getTypeArguments(type).some(hasMembers);
    if (!isPlainObject(type) || type.isClassOrInterface()) return false;
    return checker.getPropertiesOfType(type).some(isOfSchema);
  }

  /** Whether a property was inferred from a value. The compiler prints other types completely. */
  function isOfSchema(property) {
    const [declaration] = checker.getRootSymbols(property).flatMap(({ declarations = [] }) => declarations);
    return declaration !== undefined && ts.isObjectLiteralElement(declaration);
  }

  function unionOf({ types }, node) {
    const [objects, others] = [types.filter(hasMembers), types.filter((each) => !hasMembers(each))];
    const texts = [
      ...objects.map((each) => textOf(each, node)),
      ...others.map((each) => printed(each, node)),
    ];
    const booleans = ['true', 'false'].every((name) => texts.includes(name));
    const rest = booleans ? texts.filter((text) => text !== 'true' && text !== 'false') : texts;
    return [...rest, ...(booleans ? ['boolean'] : [])].join(' | ');
  }

  function membersOf(type, node, between = ' ') {
    const members = checker.getPropertiesOfType(type).map((property) => {
      const isOptional = property.flags & ts.SymbolFlags.Optional;
      const value = textOf(checker.getTypeOfSymbol(property), node);
      const comment = commentOf(property);
      // A comment belongs to the next member only if it starts a line.
      const start = comment !== '' && between !== '\n' ? '\n' : '';
      return `${start}${comment}${nameOf(property.name)}${isOptional ? '?' : ''}: ${value};`;
    });
    const open = type.getStringIndexType();
    if (open !== undefined) members.push(`[key: string]: ${printed(open, node)};`);
    return `{${between}${members.join(between)}${between}}`;
  }

  function commentOf(property) {
    for (const root of checker.getRootSymbols(property)) {
      const text = ts.displayPartsToString(root.getDocumentationComment(checker));
      if (text !== '') return `/** ${text} */ `;
    }
    return '';
  }

  function printed(type, node) {
    const tree = checker.typeToTypeNode(type, node, FLAGS);
    return printer.printNode(ts.EmitHint.Unspecified, tree, node.getSourceFile());
  }
}

function isPlainObject(type) {
  return Boolean(type.flags & ts.TypeFlags.Object) && type.getCallSignatures().length === 0;
}

function nameOf(name) {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function isInferred(node) {
  if (ts.isInterfaceDeclaration(node)) {
    const parents = node.heritageClauses?.flatMap(({ types }) => [...types]) ?? [];
    return (
      node.members.length === 0 && parents.length === 1 && INFERRED.test(parents[0].expression.getText())
    );
  }
  return ts.isTypeAliasDeclaration(node) && (ofSchema(node.type) || ofTable(node.type));
}

function ofSchema(type) {
  return ts.isTypeReferenceNode(type) && INFERRED.test(type.typeName.getText());
}

function ofTable(type) {
  return /^(?:keyof typeof [\w.]+|\(typeof \w+\)\[number\])$/.test(type.getText());
}
