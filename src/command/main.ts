#!/usr/bin/env node
import { runCox } from './run-cox.js';
import { processSurroundings } from './surroundings.js';

const surroundings = processSurroundings();
// Set the exit code instead of calling `process.exit()`, so pending output still reaches a pipe.
process.exitCode = await runCox(process.argv.slice(2), surroundings);
