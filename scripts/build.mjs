// Builds dist: checks the types, bundles code and declarations, builds the pages and JSON Schemas. Skips what did not
// change since the last build.
import { buildCode } from './lib/build-code.mjs';
import { bundleDeclarations } from './lib/bundle/bundle.mjs';
import { removeLeftovers } from './lib/bundle/outputs.mjs';
import { run } from './lib/run.mjs';
import { builtOutputs } from './lib/stamp.mjs';

const code = await run(process.execPath, ['node_modules/typescript/bin/tsc', '-b']);
if (code === 0) {
  await bundleDeclarations();
  await buildCode();
  removeLeftovers(builtOutputs());
}
process.exitCode = code;
