// dist/examples: the programs of examples/ as JavaScript. Node runs no TypeScript in node_modules, and Node 20 none at all.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { writeOutputs } from './bundle/outputs.mjs';
import { isFresh, writeStamp } from './stamp.mjs';

const INPUTS = ['examples', 'scripts/lib/build-examples.mjs', 'package-lock.json'];
const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };

/** Writes them; `npm run check` checks their types. */
export function buildExamples() {
  if (isFresh('examples', INPUTS)) return;
  const programs = readdirSync('examples').filter((name) => name.endsWith('.ts'));
  const outputs = writeOutputs(
    programs.map((name) => ({
      fileName: join('examples', name.replace(/ts$/, 'mjs')),
      source: ts.transpileModule(readFileSync(join('examples', name), 'utf8'), { compilerOptions })
        .outputText,
    })),
  );
  writeStamp('examples', { always: INPUTS, inputs: [], outputs });
}
