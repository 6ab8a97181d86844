// Lets Node import the sources as they are: `node --import ./scripts/lib/sources.mjs program.mjs`.
import { register } from 'node:module';

register('./source-hooks.mjs', import.meta.url);
