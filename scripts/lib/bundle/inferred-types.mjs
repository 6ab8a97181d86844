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

/** Writes out such declarations of compiled files: the returned function gives those of a file, by name. */
export function inferredTypes(files) {
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
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
      const members = isPlainObject(type) ? membersOf(type, node) : printed(type, node);
      written.set(node.name.text, `export type ${node.name.text} = ${members};`);
    }
    return written;

    function membersOf(type, node) {
      const lines = checker.getPropertiesOfType(type).map((property) => {
        const isOptional = property.flags & ts.SymbolFlags.Optional;
        const value = checker.getTypeOfSymbol(property);
        return `${commentOf(property)}    ${nameOf(property.name)}${isOptional ? '?' : ''}: ${printed(value, node)};`;
      });
      const open = type.getStringIndexType();
      if (open !== undefined) lines.push(`    [key: string]: ${printed(open, node)};`);
      return `{\n${lines.join('\n')}\n}`;
    }

    function commentOf(property) {
      const text = ts.displayPartsToString(property.getDocumentationComment(checker));
      return text === '' ? '' : `    /** ${text} */\n`;
    }

    function printed(type, node) {
      const tree = checker.typeToTypeNode(type, node, FLAGS);
      return printer.printNode(ts.EmitHint.Unspecified, tree, source);
    }
  };
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
