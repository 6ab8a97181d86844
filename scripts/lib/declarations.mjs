// Reads declaration files with the parser alone: names, not types.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The exported statements and names of a declaration file: name, kind, and the declaring node. */
export function exportsOf(path) {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) ? reExported(statement, path) : declared(statement),
  );
}

/** The names that a type in a declaration file declares itself, without inherited ones. */
export function membersOf(exported, name) {
  const { node } = exported.find((each) => each.name === name);
  return (node.members ?? node.type.members).map((member) => member.name.getText());
}

function reExported({ exportClause, moduleSpecifier }, path) {
  if (exportClause === undefined) {
    return exportsOf(
      join(dirname(path), moduleSpecifier.text.replace(/\.js$/, path.match(/(?:\.d)?\.ts$/)[0])),
    );
  }
  if (ts.isNamespaceExport(exportClause)) return [{ name: exportClause.name.text, kind: 'namespace' }];
  return exportClause.elements.map(({ name }) => ({ name: name.text, kind: 're-export' }));
}

function declared(statement) {
  const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  if (!isExported) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map((node) => ({
      name: node.name.text,
      kind: 'constant',
      node,
    }));
  }
  return [{ name: statement.name.text, kind: kindOf(statement), node: statement }];
}

function kindOf(statement) {
  if (ts.isFunctionDeclaration(statement)) return 'function';
  return ts.isClassDeclaration(statement) ? 'class' : 'type';
}
