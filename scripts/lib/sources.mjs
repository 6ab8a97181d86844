// Lets Node import the sources directly: `node --import ./scripts/lib/sources.mjs program.mjs`.
import { register } from 'node:module';

register('./source-hooks.mjs', import.meta.url);
