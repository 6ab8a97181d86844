// Names in the public declarations that nobody can import. A name exported by any entry point can be imported from there,
// so not every entry point has to export it.
import ts from 'typescript';

/** Returns whether some entry point exports what `name` means in a declaration file. */
export function makeExportFinder(files, options) {
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const exported = new Set(
    files.flatMap((file) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(file));
      return exportsOf(module);
    }),
  );
  return (name, file) => meant(name, program.getSourceFile(file)).some((symbol) => exported.has(symbol));

  /** Including the contents of its namespaces. */
  function exportsOf(module) {
    return checker.getExportsOfModule(module).flatMap((symbol) => {
      const meant = target(symbol);
      return meant.flags & ts.SymbolFlags.ValueModule ? exportsOf(meant) : [meant];
    });
  }

  /** The meaning of a name in a file: what is in scope, and what it imports. */
  function meant(name, source) {
    // If two things have the same name, the report calls the second `name_2`.
    const plain = name.replace(/_\d+$/, '');
    const all = ts.SymbolFlags.Type | ts.SymbolFlags.Value | ts.SymbolFlags.Alias;
    const inScope = [name, plain].flatMap((each) => checker.resolveName(each, source, all, true) ?? []);
    const inPlace = [];
    visit(source);
    return [...inScope, ...inPlace].map(target);

    function visit(node) {
      if (ts.isImportTypeNode(node) && node.qualifier?.getText() === plain) {
        inPlace.push(checker.getSymbolAtLocation(node.qualifier));
      }
      ts.forEachChild(node, visit);
    }
  }

  function target(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }
}
