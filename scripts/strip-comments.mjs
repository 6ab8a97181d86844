// Takes the comments out of the built JavaScript: they are in the sources and in the declarations, and a package is small.
// Runs before packing; what it does twice changes nothing.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';

const compilerOptions = {
  removeComments: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
};

for (const name of readdirSync('dist', { recursive: true })) {
  // The pages are minified already.
  if (!name.endsWith('.js') || name.includes('public')) continue;
  const before = readFileSync(`dist/${name}`, 'utf8');
  const { outputText: after } = ts.transpileModule(before, { compilerOptions });
  if (after !== before) writeFileSync(`dist/${name}`, after);
}
