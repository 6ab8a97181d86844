// One question, one answer.
import assert from 'node:assert/strict';
import { ask } from 'coxswain';
import { emulatorProgram } from 'coxswain/testing';

// No key and no network: an emulated CLI stands in. Without this line your own Claude CLI is used.
process.env.CLAUDE_CODE_PATH = emulatorProgram();

// #region ask
const answer = await ask('What does this package do?', { cwd: process.cwd() });
console.log(answer);
// #endregion

assert.match(answer, /complete turn/);
