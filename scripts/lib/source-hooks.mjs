// Module hooks for TypeScript: `./x.js` in a source is `./x.ts`, and types are stripped.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const compilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  inlineSourceMap: true,
};

export function resolve(specifier, context, next) {
  const isSource = context.parentURL?.endsWith('.ts') && /^\.\.?\/.*\.js$/.test(specifier);
  if (!isSource) return next(specifier, context);
  const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
  return existsSync(url) ? { url: url.href, format: 'module', shortCircuit: true } : next(specifier, context);
}

export function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const fileName = fileURLToPath(url);
  const { outputText } = ts.transpileModule(readFileSync(fileName, 'utf8'), { fileName, compilerOptions });
  return { format: 'module', source: outputText, shortCircuit: true };
}
