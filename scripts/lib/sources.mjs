// Lets Node import the sources directly: `node --import ./scripts/lib/sources.mjs program.mjs`.
import * as nodeModule from 'node:module';

const hooks = new URL('./source-hooks.mjs', import.meta.url);
// Node 26 deprecates `register`; Node 20 has nothing else.
if (nodeModule.registerHooks) nodeModule.registerHooks(await import(hooks));
else nodeModule.register(hooks);
