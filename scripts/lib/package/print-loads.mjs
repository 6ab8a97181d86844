// Imports one entry point by the package's own name and prints every module that was loaded.
import { register } from 'node:module';

register('./load-hooks.mjs', import.meta.url);
await import(process.argv[2]);
