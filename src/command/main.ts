#!/usr/bin/env node
import { runCox } from './run-cox.js';
import { processSurroundings } from './surroundings.js';

const surroundings = processSurroundings();
// The exit code is set and not forced, so that what was written still reaches a pipe.
process.exitCode = await runCox(process.argv.slice(2), surroundings);
