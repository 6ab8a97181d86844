#!/usr/bin/env node
import { processContext } from './command-context.js';
import { runCox } from './run-cox.js';

const context = processContext();
// Set the exit code instead of calling `process.exit()`, so pending output still reaches a pipe.
process.exitCode = await runCox(process.argv.slice(2), context);
