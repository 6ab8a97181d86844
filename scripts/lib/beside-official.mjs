// Compiles a text as if it were a file next to the official SDK, so that it finds its types.
import { resolve } from 'node:path';
import ts from 'typescript';

const FILE = resolve('test/peers/beside-official.ts');
const OPTIONS = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
  types: ['node'],
  typeRoots: [resolve('node_modules/@types')],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

/** The names of the modules to compare: the official one, and ours from its sources. */
export const OFFICIAL = '@anthropic-ai/claude-agent-sdk';
export const OURS = resolve('src/entry/compat/index.js');

/** The official entry points that we offer too, each with ours. */
export const ENTRIES = [
  [OFFICIAL, OURS],
  [`${OFFICIAL}/core`, resolve('src/entry/compat/core.js')],
  [`${OFFICIAL}/sdk-tools`, resolve('src/entry/compat/sdk-tools.js')],
];

/** The program of the text, and its file; `installs` are packages that our declarations find too. */
export function programBesideOfficial(text, installs = []) {
  const program = ts.createProgram([FILE], OPTIONS, hostWith(text, installs));
  return { program, source: program.getSourceFile(FILE) };
}

function hostWith(text, installs) {
  const host = ts.createCompilerHost(OPTIONS);
  // As in a project that has both: our declarations find what is installed next to the program.
  host.resolveModuleNameLiterals = (literals, containing, redirected, options, source) =>
    literals.map((literal) => {
      const from = installs.some((name) => literal.text.startsWith(`${name}/`)) ? FILE : containing;
      const mode = ts.getModeForUsageLocation(source, literal, options);
      return ts.resolveModuleName(literal.text, from, options, host, undefined, redirected, mode);
    });
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === FILE || fileExists(path);
  host.getSourceFile = (path, ...rest) =>
    path === FILE
      ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
      : getSourceFile(path, ...rest);
  return host;
}
