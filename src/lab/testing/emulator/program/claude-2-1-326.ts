#!/usr/bin/env node
import { startProgram } from './start-program.js';

await startProgram('2.1.326');
