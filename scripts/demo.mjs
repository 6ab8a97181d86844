// The demo in a clone: builds the program and runs it. Arguments go to `coxswain demo`.
import { buildCode } from './lib/build-code.mjs';
import { run } from './lib/run.mjs';

await buildCode();
process.exitCode = await run(process.execPath, ['dist/command.js', 'demo', ...process.argv.slice(2)]);
