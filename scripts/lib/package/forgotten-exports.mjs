// Names in the public declarations that nobody can import. A name that any entry point exports can be imported from there,
// so it need not be exported by each of them.
import ts from 'typescript';

/** Tells whether some entry point exports what `name` means in a file of declarations. */
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

  /** With what its namespaces hold. */
  function exportsOf(module) {
    return checker.getExportsOfModule(module).flatMap((symbol) => {
      const meant = target(symbol);
      return meant.flags & ts.SymbolFlags.ValueModule ? exportsOf(meant) : [meant];
    });
  }

  /** What a name means in a file: what is in scope there, and what it imports in place. */
  function meant(name, source) {
    // Of two things of one name the report calls the second `name_2`.
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
